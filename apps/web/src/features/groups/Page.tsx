import { FolderTree } from 'lucide-react';
import { ComingScreen } from '../../ui/ComingScreen';

export const GroupsPage = () => (
  <ComingScreen
    title="Groupes"
    icon={FolderTree}
    blueprint="tree"
    purpose="Vos groupes de sites et de serveurs, rangés les uns dans les autres."
  />
);
