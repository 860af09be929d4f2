import { AppError } from '@vigie/contracts/errors';
import { currentUser } from '@vigie/service-kit/context';
import type { EntityManager } from 'typeorm';
import { User } from './user.entity';

export const sessionExpired = () => new AppError('unauthorized', 'Votre session a expiré. Veuillez vous reconnecter.');

/** Returns the acting user, and refuses when the account was deleted after its session was checked. */
export async function requireUser(manager: EntityManager): Promise<User> {
  const user = await manager.findOneBy(User, { id: currentUser().sub });
  if (!user) throw sessionExpired();
  return user;
}
