import { PanelsTopLeft } from 'lucide-react';
import { ComingScreen } from '../../ui/ComingScreen';

export const SitesPage = () => (
  <ComingScreen
    title="Sites"
    icon={PanelsTopLeft}
    blueprint="table"
    purpose="La liste de vos sites WordPress, leur état, leurs mises à jour et leur dernière sauvegarde."
  />
);
