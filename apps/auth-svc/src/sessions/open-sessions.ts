import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppError } from '@vigie/contracts/errors';
import { sessionsRevoked } from '@vigie/contracts/sessions';
import { Bus } from '@vigie/service-kit/bus';
import { currentContext } from '@vigie/service-kit/context';
import { History } from '@vigie/service-kit/history';
import { hashToken } from '@vigie/service-kit/tokens';
import { type EntityManager, type FindOptionsWhere, In, IsNull } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { recordDoing } from '../users/doings';
import { User } from '../users/user.entity';
import { Session } from './session.entity';

export const lifetimeMs = 12 * 60 * 60_000;

type Opening = { userAgent?: string | undefined; isRestricted?: boolean };

/** Begins and ends sessions, for all that does: logins, changed passwords, users that go. */
@Injectable()
export class OpenSessions {
  constructor(
    private readonly history: History,
    private readonly bus: Bus,
  ) {}

  /** A session for the user as it was when its password was checked: changed or deleted meanwhile, there is none. */
  async open(user: User, { userAgent, isRestricted = false }: Opening): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    await this.history.write(async (chapter) => {
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
    });
    return token;
  }

  /** Ends sessions in the caller's transaction; `announce` what it gives once that is committed. */
  async end(manager: EntityManager, which: FindOptionsWhere<Session>): Promise<string[]> {
    const found = await manager.find(Session, { select: { id: true }, where: which });
    const sids = found.map(({ id }) => id);
    if (sids.length > 0) await manager.delete(Session, { id: In(sids) });
    return sids;
  }

  /** Gateways forget at once what they know of these sessions. */
  announce(sids: readonly string[]): void {
    for (let at = 0; at < sids.length; at += 1000) {
      this.bus.publish(sessionsRevoked, { sids: sids.slice(at, at + 1000) });
    }
  }
}
