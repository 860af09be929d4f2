import { useParams } from '@tanstack/react-router';
import { PanelsTopLeft } from 'lucide-react';
import { ComingScreen } from '../../ui/ComingScreen';

export function SitePage() {
  const { siteId } = useParams({ from: '/app/sites/$siteId' });
  return (
    <ComingScreen
      title="Site"
      note={`Identifiant\u00a0: ${siteId}`}
      icon={PanelsTopLeft}
      blueprint="cards"
      purpose="La version de WordPress, les plugins, les thèmes et les sauvegardes de ce site."
    />
  );
}
