import type { AdminUser } from '@vigie/contracts/users';
import { Status } from '../../ui/Status';

/** `isNamed`: where no column head says what is on or off. */
export function TwoFactorState({ user, isNamed = false }: { user: AdminUser; isNamed?: boolean }) {
  if (isNamed) return user.has_2fa ? <Status tone="ok">2FA</Status> : <Status tone="neutral">Sans 2FA</Status>;
  return user.has_2fa ? <Status tone="ok">Activée</Status> : <Status tone="neutral">Désactivée</Status>;
}
