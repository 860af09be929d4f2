import { Globe } from 'lucide-react';
import { ComingScreen } from '../../ui/ComingScreen';

export const ZonesPage = () => (
  <ComingScreen
    title="DNS"
    icon={Globe}
    blueprint="table"
    purpose="Vos zones DNS, leurs enregistrements et les sites auxquels elles sont liées."
  />
);
