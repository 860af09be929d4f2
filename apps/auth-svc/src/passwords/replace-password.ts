import type { EntityManager } from 'typeorm';
import { User } from '../users/user.entity';

export async function replacePassword(
  manager: EntityManager,
  { id, email }: User,
  passwordHash: string,
): Promise<void> {
  await manager.update(User, { id }, { passwordHash });
  await revokeResetLinks(manager, email);
}

/** A reset link must not work for the next password, nor for the next account of the same address. */
export const revokeResetLinks = (manager: EntityManager, email: string) =>
  manager.query('update password_resets set used_at = now() where email = $1 and used_at is null', [email]);
