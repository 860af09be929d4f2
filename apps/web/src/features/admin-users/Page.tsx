import { Users } from 'lucide-react';
import { ComingScreen } from '../../ui/ComingScreen';

export const AdminUsersPage = () => (
  <ComingScreen
    title="Utilisateurs"
    icon={Users}
    blueprint="table"
    purpose="Les comptes de Vigie, leurs rôles et leurs mots de passe."
  />
);
