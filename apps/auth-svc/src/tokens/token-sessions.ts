import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Session } from '@vigie/contracts/session-checks';
import { currentContext } from '@vigie/service-kit/context';
import { makeLog } from '@vigie/service-kit/log';
import { type FindOptionsWhere, In, IsNull, MoreThan, Repository } from 'typeorm';
import { env } from '../env';
import { TwoFactorPolicies } from '../two-factor/policies';
import { nameOf } from '../users/user.entity';
import { Token } from './token.entity';

/** A use is written again after this time, so that checks stay reads. */
const useEveryMs = 60_000;

/** Tokens as the sessions that their users would have at this moment. */
@Injectable()
export class TokenSessions {
  private readonly log = makeLog('auth-svc', env.VIGIE_LOG_LEVEL);

  constructor(
    @InjectRepository(Token) private readonly tokens: Repository<Token>,
    private readonly policies: TwoFactorPolicies,
  ) {}

  async use(tokenHash: string): Promise<Session | null> {
    const [token] = await this.findLive({ tokenHash });
    if (!token) return null;
    this.noteUse(token);
    return this.toSession(token);
  }

  async find(ids: readonly string[]): Promise<Session[]> {
    return Promise.all((await this.findLive({ id: In(ids) })).map((token) => this.toSession(token)));
  }

  private findLive(where: FindOptionsWhere<Token>): Promise<Token[]> {
    return this.tokens.find({ where: { ...where, expiresAt: MoreThan(new Date()) }, relations: { user: true } });
  }

  private async toSession({ id, user, name, scopes, groupIds, expiresAt }: Token): Promise<Session> {
    return {
      sid: id,
      sub: user.id,
      role: user.role,
      email: user.email,
      name: nameOf(user),
      expires_at: expiresAt.toISOString(),
      // No login uses up the grace of somebody who works by tokens alone.
      is_restricted: user.twoFactorAt === null && (await this.policies.appliesTo(user)),
      scopes,
      ...(groupIds && { group_ids: groupIds }),
      token_name: name,
    };
  }

  /** Nobody waits for the write, and of parallel uses one is written. */
  private noteUse({ id, lastUsedAt }: Token): void {
    if (lastUsedAt && Date.now() - lastUsedAt.getTime() < useEveryMs) return;
    const use = { lastUsedAt: new Date(), lastUsedAddress: currentContext()?.address ?? null };
    const written = this.tokens.update({ id, lastUsedAt: lastUsedAt ?? IsNull() }, use);
    written.catch((error: unknown) => this.log.warn({ err: error }, 'the use of a token was not written'));
  }
}
