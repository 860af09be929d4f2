import type { EntityManager } from 'typeorm';
import { User } from '../users/user.entity';

/** Links that were asked for before this are dead too. */
export async function replacePassword(
  manager: EntityManager,
  { id, email }: User,
  passwordHash: string,
): Promise<void> {
  await manager.update(User, { id }, { passwordHash });
  await killLinks(manager, email);
}

/** A link is of one account and one password: neither the next password nor the next account of that address takes it. */
export const killLinks = (manager: EntityManager, email: string) =>
  manager.query('update password_resets set used_at = now() where email = $1 and used_at is null', [email]);
