import { Gauge } from 'lucide-react';
import { ComingScreen } from '../../ui/ComingScreen';

export const DashboardPage = () => (
  <ComingScreen
    title="Tableau de bord"
    icon={Gauge}
    blueprint="tiles"
    purpose="L’état de vos sites et de vos serveurs, les alertes et l’activité récente, d’un seul coup d’œil."
  />
);
