import { Server } from 'lucide-react';
import { ComingScreen } from '../../ui/ComingScreen';

export const ServersPage = () => (
  <ComingScreen
    title="Serveurs"
    icon={Server}
    blueprint="table"
    purpose="Vos serveurs SSH, leur charge, leur clé publique et leur console."
  />
);
