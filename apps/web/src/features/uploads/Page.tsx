import { Package } from 'lucide-react';
import { ComingScreen } from '../../ui/ComingScreen';

export const UploadsPage = () => (
  <ComingScreen
    title="Uploads"
    icon={Package}
    blueprint="drop"
    purpose="Les archives de plugins et de thèmes que vous installez sur vos sites."
  />
);
