import { Injectable } from '@nestjs/common';
import { checkSession, type Session, sessionsRevoked } from '@vigie/contracts/session-checks';
import { Bus } from '@vigie/service-kit/bus';
import { checkToken } from '@vigie/contracts/tokens';
import { hashToken } from '@vigie/service-kit/tokens';

const maxAgeMs = 5_000;
const maxSessions = 20_000;

export const isApiToken = (bearer: string) => /^vgt_.{43}$/.test(bearer);

type CachedSession = { session: Promise<Session | null>; at: number };

/**
 * Finds the session of a bearer, which may be a token. An answer is cached for 5 s at most, and dropped earlier on a
 * revocation event, so that a lost event delays a revocation by seconds only.
 */
@Injectable()
export class SessionCache {
  private readonly cache = new Map<string, CachedSession>();

  constructor(private readonly bus: Bus) {
    bus.subscribe(sessionsRevoked, ({ sids }) => void this.forget(new Set(sids)));
  }

  async find(token: string): Promise<Session | null> {
    const hash = hashToken(token);
    const cached = this.cache.get(hash);
    const entry = cached && Date.now() - cached.at < maxAgeMs ? cached : this.fetch(token, hash);
    const session = await entry.session;
    return session && Date.parse(session.expires_at) > Date.now() ? session : null;
  }

  /** Skips the cache, for routes where five seconds are too long. */
  async findNow(token: string): Promise<Session | null> {
    return this.fetch(token, hashToken(token)).session;
  }

  private fetch(token: string, hash: string): CachedSession {
    const check = isApiToken(token) ? checkToken : checkSession;
    const session = this.bus.call(check, { token_hash: hash }).then((answer) => answer.session);
    const entry = { session, at: Date.now() };
    if (this.cache.size >= maxSessions) this.cache.clear();
    this.cache.set(hash, entry);
    const drop = () => this.cache.get(hash) === entry && this.cache.delete(hash);
    // Neither a failure nor an unknown bearer is cached: the next request asks again.
    session.then((found) => found ?? drop(), drop);
    return entry;
  }

  private async forget(sids: ReadonlySet<string>): Promise<void> {
    const checks = [...this.cache].map(async ([hash, entry]) => {
      const session = await entry.session.catch(() => null);
      if (session && sids.has(session.sid) && this.cache.get(hash) === entry) this.cache.delete(hash);
    });
    await Promise.all(checks);
  }
}
