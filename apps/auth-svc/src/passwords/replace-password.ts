import type { EntityManager } from 'typeorm';
import { User } from '../users/user.entity';

/** The old password proved who asked for a new passkey or app: what was asked for by then comes to nothing. */
export async function replacePassword(
  manager: EntityManager,
  { id, email }: User,
  passwordHash: string,
): Promise<void> {
  await manager.update(User, { id }, { passwordHash });
  await revokeResetLinks(manager, email);
  for (const table of ['passkey_challenges', 'two_factor_enrolments'])
    await manager.query(`delete from ${table} where user_id = $1`, [id]);
}

/** A reset link must not work for the next password, nor for the next account of the same address. */
export const revokeResetLinks = (manager: EntityManager, email: string) =>
  manager.query('update password_resets set used_at = now() where email = $1 and used_at is null', [email]);
