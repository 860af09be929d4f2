import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppError } from '@vigie/contracts/errors';
import { sessionsRevoked } from '@vigie/contracts/sessions';
import { Bus } from '@vigie/service-kit/bus';
import { currentContext } from '@vigie/service-kit/context';
import { AuditedTransactions } from '@vigie/service-kit/audited-transactions';
import { hashToken } from '@vigie/service-kit/tokens';
import { type EntityManager, type FindOptionsWhere, IsNull } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { recordDoing } from '../users/doings';
import { User } from '../users/user.entity';
import { Session } from './session.entity';

export const lifetimeMs = 12 * 60 * 60_000;
/** Of one user; who logs in on and on must not leave more of them than can be shown, and ended one by one. */
const maxSessions = 100;

type Opening = { userAgent?: string | undefined; isRestricted?: boolean };

/** Begins and ends sessions, for all that does: logins, changed passwords, users that go. */
@Injectable()
export class OpenSessions {
  constructor(
    private readonly history: AuditedTransactions,
    private readonly bus: Bus,
  ) {}

  /** A session for the user as it was when its password was checked: changed or deleted meanwhile, there is none. */
  async open(user: User, { userAgent, isRestricted = false }: Opening): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    const ended = await this.history.write(async (chapter) => {
      const asChecked = { id: user.id, passwordHash: user.passwordHash, twoFactorAt: user.twoFactorAt ?? IsNull() };
      const { affected } = await chapter.manager.update(User, asChecked, { lastLoginAt: new Date() });
      if (affected !== 1) throw new AppError('unauthorized', 'Ce compte vient de changer. Reconnectez-vous.');
      await chapter.manager.insert(Session, {
        id: uuid(),
        userId: user.id,
        tokenHash: hashToken(token),
        address: currentContext()?.address ?? null,
        userAgent: userAgent ?? null,
        isRestricted,
        seenAt: new Date(),
        expiresAt: new Date(Date.now() + lifetimeMs),
      });
      await recordDoing(chapter, { actor: user, type: 'login' });
      return endOldest(chapter.manager, user.id);
    });
    this.announce(ended);
    return token;
  }

  /** Ends sessions in the caller's transaction; `announce` what it gives once that is committed. */
  async end(manager: EntityManager, which: FindOptionsWhere<Session>): Promise<string[]> {
    // Not by their ids: a statement takes 65,535 of them, and whoever has the password decides how many there are.
    const query = manager.createQueryBuilder().delete().from(Session).where(which).returning('id');
    const { raw }: { raw: { id: string }[] } = await query.execute();
    return raw.map(({ id }) => id);
  }

  /** Gateways forget at once what they know of these sessions. */
  announce(sids: readonly string[]): void {
    for (let at = 0; at < sids.length; at += 1000) {
      this.bus.publish(sessionsRevoked, { sids: sids.slice(at, at + 1000) });
    }
  }
}

/** Under the lock that the new session has on its user, so that logins at once count each other's. */
async function endOldest(manager: EntityManager, userId: string): Promise<string[]> {
  const [ended]: [{ id: string }[], number] = await manager.query(
    `delete from sessions where id in (
       select id from sessions where user_id = $1 order by seen_at desc, id desc offset $2)
     returning id`,
    [userId, maxSessions],
  );
  return ended.map(({ id }) => id);
}
