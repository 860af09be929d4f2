import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppError } from '@vigie/contracts/errors';
import { sessionsRevoked } from '@vigie/contracts/session-checks';
import { Bus } from '@vigie/service-kit/bus';
import { currentContext } from '@vigie/service-kit/context';
import { AuditedTransactions } from '@vigie/service-kit/audited-transactions';
import { hashToken } from '@vigie/service-kit/tokens';
import { type EntityManager, type FindOptionsWhere, IsNull, Not } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { Passkey } from '../passkeys/passkey.entity';
import { endTokens } from '../tokens/end-tokens';
import { recordAuditEvent } from '../users/audit-events';
import { User } from '../users/user.entity';
import { deleteRows } from './delete-rows';
import { Session } from './session.entity';

export const lifetimeMs = 12 * 60 * 60_000;
/** Per user: the sessions that repeated logins leave must fit in one list, where each can be ended. */
const maxSessions = 100;

export type SessionOptions = { userAgent?: string | undefined; isRestricted?: boolean; passkey?: Passkey | undefined };

/** Opens and ends sessions for logins, password changes and deleted users. */
@Injectable()
export class OpenSessions {
  constructor(
    private readonly transactions: AuditedTransactions,
    private readonly bus: Bus,
  ) {}

  /** Opens a session only if the account has not changed since its password was checked, and its passkey is still there. */
  async open(user: User, { userAgent, isRestricted = false, passkey }: SessionOptions): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    const ended = await this.transactions.write(async (transaction) => {
      const unchanged = { id: user.id, passwordHash: user.passwordHash, twoFactorAt: user.twoFactorAt ?? IsNull() };
      const { affected } = await transaction.manager.update(User, unchanged, { lastLoginAt: new Date() });
      if (affected !== 1) throw accountChanged();
      if (passkey && !(await transaction.manager.existsBy(Passkey, { id: passkey.id }))) throw accountChanged();
      await transaction.manager.insert(Session, {
        id: uuid(),
        userId: user.id,
        tokenHash: hashToken(token),
        address: currentContext()?.address ?? null,
        userAgent: userAgent ?? null,
        isRestricted,
        passkeyId: passkey?.id ?? null,
        seenAt: new Date(),
        expiresAt: new Date(Date.now() + lifetimeMs),
      });
      const details = passkey ? { by: 'passkey', passkey: passkey.name } : {};
      await recordAuditEvent(transaction, { actor: user, type: 'login', details });
      return endOldest(transaction.manager, user.id);
    });
    this.announce(ended);
    return token;
  }

  /** Ends sessions in the caller’s transaction; pass the result to `announce` once it is committed. */
  end(manager: EntityManager, where: FindOptionsWhere<Session>): Promise<string[]> {
    return deleteRows(manager, Session, where);
  }

  /** Ends the sessions of a user, but for the one from which somebody does so, and the tokens. */
  async endAccess(manager: EntityManager, userId: string): Promise<string[]> {
    const { user: actor } = currentContext() ?? {};
    const sids = await this.end(manager, { userId, ...(actor && { id: Not(actor.sid) }) });
    return [...sids, ...(await endTokens(manager, { userId }))];
  }

  /** Makes the gateways drop these sessions from their caches at once. */
  announce(sids: readonly string[]): void {
    for (let at = 0; at < sids.length; at += 1000) {
      this.bus.publish(sessionsRevoked, { sids: sids.slice(at, at + 1000) });
    }
  }
}

const accountChanged = () => new AppError('unauthorized', 'Ce compte vient de changer. Reconnectez-vous.');

/** Runs under the lock that the new session has on its user, so that parallel logins count each other’s sessions. */
async function endOldest(manager: EntityManager, userId: string): Promise<string[]> {
  const [ended]: [{ id: string }[], number] = await manager.query(
    `delete from sessions where id in (
       select id from sessions where user_id = $1 order by seen_at desc, id desc offset $2)
     returning id`,
    [userId, maxSessions],
  );
  return ended.map(({ id }) => id);
}
