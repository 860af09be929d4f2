import { randomBytes } from 'node:crypto';
import { Controller } from '@nestjs/common';
import type { Input, Output } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import { reachesGroups } from '@vigie/contracts/groups';
import { checkToken, createToken, deleteToken, listTokens } from '@vigie/contracts/tokens';
import { AuditedTransactions } from '@vigie/service-kit/audited-transactions';
import { Bus } from '@vigie/service-kit/bus';
import { currentUser } from '@vigie/service-kit/context';
import { Handles } from '@vigie/service-kit/handles';
import { IdempotencyKeys } from '@vigie/service-kit/idempotency-keys';
import { hashToken } from '@vigie/service-kit/tokens';
import { DataSource, type EntityManager, MoreThan } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { OpenSessions } from '../sessions/open-sessions';
import { Session } from '../sessions/session.entity';
import { recordAuditEvent } from '../users/audit-events';
import { lockAdmin, lockUser } from '../users/lock-user';
import { requireUser, sessionExpired } from '../users/require-user';
import type { User } from '../users/user.entity';
import { endTokens } from './end-tokens';
import { TokenSessions } from './token-sessions';
import { Token, toTokenView, withOwner } from './token.entity';

const maxTokens = 50;

@Controller()
export class TokensController {
  constructor(
    private readonly database: DataSource,
    private readonly transactions: AuditedTransactions,
    private readonly bus: Bus,
    private readonly idempotencyKeys: IdempotencyKeys,
    private readonly openSessions: OpenSessions,
    private readonly tokenSessions: TokenSessions,
  ) {}

  @Handles(listTokens)
  async list({ limit, offset }: Input<typeof listTokens>): Promise<Output<typeof listTokens>> {
    const { sub, adminMode } = currentUser();
    const [tokens, total] = await this.database.manager.findAndCount(Token, {
      where: adminMode ? {} : { userId: sub },
      relations: { user: true },
      order: { createdAt: 'desc', id: 'desc' },
      take: limit,
      skip: offset,
    });
    return { items: tokens.map(adminMode ? withOwner : toTokenView), total };
  }

  @Handles(createToken)
  async create(input: Input<typeof createToken>): Promise<Output<typeof createToken>> {
    const { name, scopes, group_ids: groupIds = null, expires_at: expiresAt } = input;
    if (groupIds) await this.requireGroups(groupIds);
    const secret = `vgt_${randomBytes(32).toString('base64url')}`;
    const id = uuid();
    const token = await this.transactions.write(async (transaction) => {
      const { manager } = transaction;
      const actor = await lockCreator(manager, scopes);
      if (await this.idempotencyKeys.claim(manager, createToken, input, id)) throw shownBefore();
      await refuseTooMany(manager, actor);
      const row = { id, userId: actor.id, name, scopes, groupIds, expiresAt: new Date(expiresAt) };
      await manager.insert(Token, { ...row, tokenHash: hashToken(secret) });
      await recordAuditEvent(transaction, { actor, type: 'token_create', details: { name, scopes } });
      return manager.findOneByOrFail(Token, { id });
    });
    return { ...toTokenView(token), token: secret };
  }

  @Handles(deleteToken)
  async delete({ id }: Input<typeof deleteToken>) {
    const { sub, adminMode } = currentUser();
    const ended = await this.transactions.write(async (transaction) => {
      const { manager } = transaction;
      const actor = adminMode ? await lockAdmin(manager) : await requireUser(manager);
      const where = adminMode ? { id } : { id, userId: sub };
      const token = await manager.findOne(Token, { where, relations: { user: true } });
      const ids = await endTokens(manager, where);
      if (!token || ids.length === 0) throw unknownToken();
      const { name, user } = token;
      const details = { name, ...(user.id !== sub && { owner: user.email }) };
      await recordAuditEvent(transaction, { actor, type: 'token_delete', details });
      return ids;
    });
    this.openSessions.announce(ended);
    return {};
  }

  @Handles(checkToken)
  async check({ token_hash: tokenHash }: Input<typeof checkToken>) {
    return { session: await this.tokenSessions.use(tokenHash) };
  }

  private async requireGroups(ids: string[]): Promise<void> {
    const { sub, adminMode } = currentUser();
    const { is_reached: isReached } = await this.bus.call(reachesGroups, { user_id: adminMode ? null : sub, ids });
    if (!isReached) throw new AppError('not_found', 'Un de ces groupes n’existe pas ou n’existe plus.');
  }
}

/** The lock keeps role and session, which may have ended meanwhile, and lets parallel requests count each other's tokens. */
async function lockCreator(manager: EntityManager, scopes: readonly string[]): Promise<User> {
  const user = await lockUser(manager, currentUser().sub);
  if (!user || !(await manager.existsBy(Session, { id: currentUser().sid }))) throw sessionExpired();
  if (user.role === 'admin' || !scopes.includes('admin')) return user;
  throw new AppError('forbidden', 'Le droit «\u00a0admin\u00a0» est réservé aux administrateurs.');
}

async function refuseTooMany(manager: EntityManager, { id: userId }: User): Promise<void> {
  if ((await manager.countBy(Token, { userId, expiresAt: MoreThan(new Date()) })) < maxTokens) return;
  throw new AppError(
    'conflict',
    `Vous avez déjà ${maxTokens}\u00a0jetons\u00a0: révoquez-en un pour en créer un autre.`,
  );
}

const unknownToken = () => new AppError('not_found', 'Ce jeton n’existe pas ou n’existe plus.');

const shownBefore = () =>
  new AppError(
    'conflict',
    'Cette demande a déjà créé un jeton, montré une seule fois\u00a0: révoquez-le et recommencez.',
  );
