import { AppError } from '@vigie/contracts/errors';
import { currentUser } from '@vigie/service-kit/context';
import type { EntityManager } from 'typeorm';
import { Session } from '../sessions/session.entity';
import { sessionOver } from './require-user';
import { User } from './user.entity';

/**
 * An account as it is now, held until the end of the transaction. Between the look at a password and the write, seconds
 * of hashing may pass: whoever changes an account looks at it again under this lock.
 */
export const holdUser = (manager: EntityManager, id: string): Promise<User | null> =>
  manager.findOne(User, { where: { id }, lock: { mode: 'pessimistic_write' } });

/** For whoever's password was just checked: where account or session are not what they were then, nothing happens. */
export async function holdAsChecked(manager: EntityManager, checked: User): Promise<void> {
  const user = await holdUser(manager, checked.id);
  if (!user || !(await manager.existsBy(Session, { id: currentUser().sid }))) throw sessionOver();
  const isSame =
    user.passwordHash === checked.passwordHash && user.twoFactorAt?.getTime() === checked.twoFactorAt?.getTime();
  if (!isSame) throw new AppError('conflict', 'Ce compte vient de changer. Recommencez.');
}

/** Held by whoever may create the first user, so that replicas and a sign-up cannot both do it. */
export const lockFirstUser = (manager: EntityManager) => manager.query('select pg_advisory_xact_lock(7316002)');
