import { Settings } from 'lucide-react';
import { ComingScreen } from '../../ui/ComingScreen';

export const SettingsPage = () => (
  <ComingScreen
    title="Paramètres"
    icon={Settings}
    blueprint="form"
    purpose="Le nom de l’application, ses logos et l’expéditeur par défaut."
  />
);
