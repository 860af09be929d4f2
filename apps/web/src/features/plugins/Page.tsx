import { Puzzle } from 'lucide-react';
import { ComingScreen } from '../../ui/ComingScreen';

export const PluginsPage = () => (
  <ComingScreen
    title="Plugins"
    icon={Puzzle}
    blueprint="table"
    purpose="Chaque plugin, les sites qui l’utilisent et ses mises à jour en attente."
  />
);
