import type { AdminUser } from '@vigie/contracts/users';
import { Status } from '../../ui/Status';

export const TwoFactorState = ({ user }: { user: AdminUser }) =>
  user.has_2fa ? <Status tone="ok">Activée</Status> : <Status tone="neutral">Désactivée</Status>;
