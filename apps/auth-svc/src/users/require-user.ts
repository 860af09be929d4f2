import { AppError } from '@vigie/contracts/errors';
import { currentUser } from '@vigie/service-kit/context';
import type { EntityManager } from 'typeorm';
import { User } from './user.entity';

export const sessionOver = () => new AppError('unauthorized', 'Votre session a expiré. Veuillez vous reconnecter.');

/** Whoever is acting; gone since its session was looked at, it is nobody. */
export async function requireUser(manager: EntityManager): Promise<User> {
  const user = await manager.findOneBy(User, { id: currentUser().sub });
  if (!user) throw sessionOver();
  return user;
}
