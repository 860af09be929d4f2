import type { AdminUser } from '@vigie/contracts/users';
import { Status } from '../../ui/Status';

/** `isNamed`: names 2FA in the label, where no column head does. */
export function TwoFactorState({ user, isNamed = false }: { user: AdminUser; isNamed?: boolean }) {
  if (isNamed) return user.has_2fa ? <Status tone="ok">2FA</Status> : <Status tone="neutral">Sans 2FA</Status>;
  return user.has_2fa ? <Status tone="ok">Activée</Status> : <Status tone="neutral">Désactivée</Status>;
}
