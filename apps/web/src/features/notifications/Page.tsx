import { Bell } from 'lucide-react';
import { ComingScreen } from '../../ui/ComingScreen';

export const NotificationsPage = () => (
  <ComingScreen
    title="Notifications"
    icon={Bell}
    blueprint="form"
    purpose="L’envoi des emails, l’adresse expéditrice et un message de test."
  />
);
