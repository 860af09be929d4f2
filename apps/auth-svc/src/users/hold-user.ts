import { AppError } from '@vigie/contracts/errors';
import { currentUser } from '@vigie/service-kit/context';
import type { EntityManager } from 'typeorm';
import { Session } from '../sessions/session.entity';
import { requireUser, sessionOver } from './require-user';
import { User } from './user.entity';

/**
 * An account as it is now, held until the end of the transaction. Between the look at a password and the write, seconds
 * of hashing may pass: whoever changes an account looks at it again under this lock.
 */
export const holdUser = (manager: EntityManager, id: string): Promise<User | null> =>
  manager.findOne(User, { where: { id }, lock: { mode: 'pessimistic_write' } });

/**
 * Whoever is acting, an administrator until the end of the transaction: since the gateway looked they may have become
 * somebody else.
 */
export async function holdAdmin(manager: EntityManager): Promise<User> {
  const actor = await manager.findOne(User, { where: { id: currentUser().sub }, lock: { mode: 'pessimistic_read' } });
  if (!actor) throw sessionOver();
  if (actor.role !== 'admin') throw adminsOnly();
  return actor;
}

/**
 * The target and every administrator, held in one order until the end of the transaction: two of them cannot remove each
 * other at once, since whoever comes second is no administrator any more.
 */
export async function holdTarget(manager: EntityManager, id: string) {
  const held = await manager
    .createQueryBuilder(User, 'u')
    .where("u.role = 'admin' or u.id = :id", { id })
    .orderBy('u.id')
    .setLock('pessimistic_write')
    .getMany();
  const admins = held.filter(({ role }) => role === 'admin');
  const actor = await requireUser(manager);
  if (!admins.some((admin) => admin.id === actor.id)) throw adminsOnly();
  const target = held.find((user) => user.id === id);
  if (!target) throw unknownUser();
  return { actor, target, admins };
}

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

export const unknownUser = () => new AppError('not_found', 'Cet utilisateur n’existe pas ou n’existe plus.');
const adminsOnly = () => new AppError('forbidden', 'Accès réservé aux administrateurs.');
