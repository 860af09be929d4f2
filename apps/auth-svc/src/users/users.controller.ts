import { Controller } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import {
  type CreateUser,
  createUser,
  deleteUser,
  type EditUser,
  editUser,
  listUsers,
  readMe,
  type userColumns,
} from '@vigie/contracts/users';
import { currentUser } from '@vigie/service-kit/context';
import { IdempotencyKeys } from '@vigie/service-kit/idempotency-keys';
import { queryPrepared } from '@vigie/service-kit/database';
import { Handles } from '@vigie/service-kit/handles';
import { type AuditedTransaction, AuditedTransactions } from '@vigie/service-kit/audited-transactions';
import { hasWords, patternsOf, foldTextSql } from '@vigie/service-kit/search';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { Passwords } from '../passwords/passwords';
import { revokeResetLinks, replacePassword } from '../passwords/replace-password';
import { OpenSessions } from '../sessions/open-sessions';
import { refuseTakenEmail } from '../sessions/sessions.controller';
import { recordAuditEvent } from './audit-events';
import { deleteFirstPassword } from './first-admin';
import { lockAdmin, lockTarget, unknownUser } from './lock-user';
import { sessionExpired } from './require-user';
import { Passkey } from '../passkeys/passkey.entity';
import { usablePasskeys } from '../passkeys/usable-passkeys';
import { type PublicUser, toAdminUser, toUserView, User } from './user.entity';

const searchableText = foldTextSql("concat_ws(' ', u.first_name, u.last_name, u.email)");

const sortKeys: Record<(typeof userColumns)[number], string> = {
  first_name: 'u.first_name collate french',
  last_name: 'u.last_name collate french',
  email: 'u.email collate french',
  role: 'u.role',
  // Users with a second factor come first.
  has_2fa: 'u.two_factor_at is null',
  last_login_at: 'u.last_login_at',
  created_at: 'u.created_at',
};

const userSql = 'select id, email, first_name as "firstName", last_name as "lastName", role from users where id = $1';

@Controller()
export class UsersController {
  constructor(
    private readonly database: DataSource,
    private readonly idempotencyKeys: IdempotencyKeys,
    private readonly transactions: AuditedTransactions,
    private readonly openSessions: OpenSessions,
    private readonly passwords: Passwords,
  ) {}

  @Handles(readMe)
  async me() {
    const { sub, isRestricted } = currentUser();
    const [user] = await queryPrepared<PublicUser>(this.database.manager, userSql, [sub]);
    if (!user) throw sessionExpired();
    return isRestricted ? { ...toUserView(user), requires_2fa_setup: true as const } : toUserView(user);
  }

  @Handles(listUsers)
  async list({ q, role, sort, order, offset, limit }: Input<typeof listUsers>) {
    const { manager } = this.database;
    const query = manager.createQueryBuilder(User, 'u').where({ ...(role !== undefined && { role }) });
    const [words] = patternsOf(q) ?? [];
    if (words) query.andWhere(hasWords(searchableText, ':words'), { words });
    if (sort) {
      query.addSelect(sortKeys[sort], 'sorted').addSelect(sortKeys.email, 'address');
      query.orderBy('sorted', order === 'desc' ? 'DESC' : 'ASC', 'NULLS LAST').addOrderBy('address');
    } else query.orderBy('u.createdAt');
    const [users, total] = await query.addOrderBy('u.id').offset(offset).limit(limit).getManyAndCount();
    return { items: users.map(toAdminUser), total, known: await manager.count(User) };
  }

  @Handles(createUser)
  async create(input: CreateUser) {
    const { email, password, first_name: firstName, last_name: lastName, role } = input;
    const passwordHash = await this.passwords.hash(password);
    const id = await this.transactions.write(async (transaction) => {
      const { manager } = transaction;
      const actor = await lockAdmin(manager);
      const newId = uuid();
      const existingId = await this.idempotencyKeys.claim(manager, createUser, input, newId);
      if (existingId !== undefined) return existingId;
      const user = manager.create(User, { id: newId, email, passwordHash, firstName, lastName, role });
      await manager.insert(User, user).catch(refuseTakenEmail);
      await revokeResetLinks(manager, email);
      await recordAuditEvent(transaction, { actor, type: 'user_create', target: user, details: { role } });
      return newId;
    });
    return toAdminUser(await findUser(this.database.manager, id));
  }

  @Handles(editUser)
  async edit(input: EditUser) {
    const passwordHash = input.password ? await this.passwords.hash(input.password) : undefined;
    const { user, ended } = await this.transactions.write((transaction) =>
      this.applyEdit(transaction, input, passwordHash),
    );
    this.openSessions.announce(ended);
    if (passwordHash !== undefined) await deleteFirstPassword(user.email);
    const count = await this.database.manager.countBy(Passkey, usablePasskeys(user.id));
    return { ...toAdminUser(user), passkey_count: count };
  }

  @Handles(deleteUser)
  async delete({ id }: Input<typeof deleteUser>) {
    const { email, ended } = await this.transactions.write(async (transaction) => {
      const { manager, publish } = transaction;
      const { actor, target, admins } = await lockTarget(manager, id);
      if (id === actor.id) throw new AppError('conflict', 'Vous ne pouvez pas supprimer votre propre compte.');
      refuseLastAdmin(admins, target);
      const sids = await this.openSessions.endAccess(manager, id);
      await manager.delete(User, { id });
      await revokeResetLinks(manager, target.email);
      await publish({ kind: 'user_deleted', user_id: id, heir_id: actor.id });
      await recordAuditEvent(transaction, { actor, type: 'user_delete', target });
      return { email: target.email, ended: sids };
    });
    this.openSessions.announce(ended);
    await deleteFirstPassword(email);
    return {};
  }

  private async applyEdit(transaction: AuditedTransaction, input: EditUser, passwordHash: string | undefined) {
    const { manager, publish } = transaction;
    const { actor, target, admins } = await lockTarget(manager, input.id);
    if (input.email !== undefined && input.email.trim().toLowerCase() !== target.email) {
      throw new AppError('invalid', 'L’adresse email ne peut plus être changée.');
    }
    // A stolen session must not become an account: changing one’s own password requires the current one.
    if (passwordHash !== undefined && target.id === actor.id) {
      throw new AppError('conflict', 'Changez votre propre mot de passe dans votre profil, avec l’actuel.');
    }
    const changes = changesOf(target, input, passwordHash);
    const isNewRole = changes.role !== undefined;
    if (changes.role === 'client') refuseDemotion(admins, actor, target);
    if (Object.keys(changes).length === 0) return { user: target, ended: [] };
    await manager.update(User, { id: target.id }, changes);
    if (passwordHash !== undefined) await replacePassword(manager, target, passwordHash);
    if (changes.role) await publish({ kind: 'user_role_changed', user_id: target.id, role: changes.role });
    const user = await findUser(manager, target.id);
    await recordAuditEvent(transaction, { actor, type: 'user_edit', target: user, details: detailsOf(changes) });
    const ended = isNewRole || passwordHash !== undefined ? await this.openSessions.endAccess(manager, target.id) : [];
    return { user, ended };
  }
}

type Changes = Partial<Pick<User, 'firstName' | 'lastName' | 'role' | 'passwordHash'>>;

function changesOf(target: User, input: EditUser, passwordHash: string | undefined): Changes {
  const { first_name: firstName, last_name: lastName, role } = input;
  return {
    ...(firstName !== undefined && firstName !== target.firstName && { firstName }),
    ...(lastName !== undefined && lastName !== target.lastName && { lastName }),
    ...(role !== undefined && role !== target.role && { role }),
    ...(passwordHash !== undefined && { passwordHash }),
  };
}

/** Names the changed fields, never the password. */
const detailsOf = ({ firstName, lastName, role, passwordHash }: Changes) => ({
  ...(firstName !== undefined && { first_name: firstName }),
  ...(lastName !== undefined && { last_name: lastName }),
  ...(role !== undefined && { role }),
  ...(passwordHash !== undefined && { password: 'changed' }),
});

async function findUser(manager: EntityManager, id: string): Promise<User> {
  const user = await manager.findOneBy(User, { id });
  if (!user) throw unknownUser();
  return user;
}

function refuseDemotion(admins: readonly User[], actor: User, target: User): void {
  if (actor.id === target.id) {
    throw new AppError('conflict', 'Vous ne pouvez pas retirer votre propre rôle d’administrateur.');
  }
  refuseLastAdmin(admins, target);
}

function refuseLastAdmin(admins: readonly User[], target: User): void {
  if (admins.some(({ id }) => id !== target.id)) return;
  throw new AppError('conflict', 'Il doit rester au moins un administrateur.');
}
