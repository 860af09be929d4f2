import { AppError } from '@vigie/contracts/errors';
import { currentUser } from '@vigie/service-kit/context';
import type { EntityManager } from 'typeorm';
import { Session } from '../sessions/session.entity';
import { requireUser, sessionExpired } from './require-user';
import { User } from './user.entity';

/**
 * Locks an account until the transaction ends. Hashing takes seconds between the check of a password and the write, so
 * every change of an account reads it again under this lock.
 */
export const lockUser = (manager: EntityManager, id: string): Promise<User | null> =>
  manager.findOne(User, { where: { id }, lock: { mode: 'pessimistic_write' } });

/** Locks the acting user, who may have lost the administrator role since the gateway checked it. */
export async function lockAdmin(manager: EntityManager): Promise<User> {
  const actor = await manager.findOne(User, { where: { id: currentUser().sub }, lock: { mode: 'pessimistic_read' } });
  if (!actor) throw sessionExpired();
  if (actor.role !== 'admin') throw adminsOnly();
  return actor;
}

/**
 * Locks the target and every administrator in one order until the transaction ends: two administrators cannot remove
 * each other at once, because the second is no administrator any more.
 */
export async function lockTarget(manager: EntityManager, id: string) {
  const lockedUsers = await manager
    .createQueryBuilder(User, 'u')
    .where("u.role = 'admin' or u.id = :id", { id })
    .orderBy('u.id')
    .setLock('pessimistic_write')
    .getMany();
  const admins = lockedUsers.filter(({ role }) => role === 'admin');
  const actor = await requireUser(manager);
  if (!admins.some((admin) => admin.id === actor.id)) throw adminsOnly();
  const target = lockedUsers.find((user) => user.id === id);
  if (!target) throw unknownUser();
  return { actor, target, admins };
}

/** Locks the account whose password was just checked, and refuses when account or session changed since. */
export async function lockUnchangedUser(manager: EntityManager, checkedUser: User): Promise<void> {
  const user = await lockUser(manager, checkedUser.id);
  if (!user || !(await manager.existsBy(Session, { id: currentUser().sid }))) throw sessionExpired();
  const isSame =
    user.passwordHash === checkedUser.passwordHash &&
    user.twoFactorAt?.getTime() === checkedUser.twoFactorAt?.getTime();
  if (!isSame) throw new AppError('conflict', 'Ce compte vient de changer. Recommencez.');
}

/** Serialises the creation of the first user between replicas and sign-ups. */
export const lockFirstUser = (manager: EntityManager) => manager.query('select pg_advisory_xact_lock(7316002)');

export const unknownUser = () => new AppError('not_found', 'Cet utilisateur n’existe pas ou n’existe plus.');
const adminsOnly = () => new AppError('forbidden', 'Accès réservé aux administrateurs.');
