import type { EntityManager } from 'typeorm';
import { Passkey } from '../passkeys/passkey.entity';
import { User } from '../users/user.entity';

/** Removes the app, also one that is being set up, the passkeys and the recovery codes of a user. */
export async function removeSecondFactor(manager: EntityManager, id: string): Promise<void> {
  await manager.update(User, { id }, { totpSecret: null, twoFactorAt: null });
  await manager.delete(Passkey, { userId: id });
  await manager.query('delete from two_factor_enrolments where user_id = $1', [id]);
  await manager.query('delete from recovery_codes where user_id = $1', [id]);
}
