import { Injectable } from '@nestjs/common';
import { checkSession, type Session, sessionsRevoked } from '@vigie/contracts/sessions';
import { Bus } from '@vigie/service-kit/bus';
import { hashToken } from '@vigie/service-kit/tokens';

const keepMs = 5_000;
const maxKept = 20_000;

type Kept = { session: Promise<Session | null>; at: number };

/**
 * Who a bearer is. An answer is kept for 5 s at most and dropped earlier when a revocation is heard, so that a hint that
 * was lost costs seconds, never access.
 */
@Injectable()
export class SessionCache {
  private readonly kept = new Map<string, Kept>();

  constructor(private readonly bus: Bus) {
    bus.subscribe(sessionsRevoked, ({ sids }) => void this.forget(new Set(sids)));
  }

  async find(token: string): Promise<Session | null> {
    const hash = hashToken(token);
    const known = this.kept.get(hash);
    const kept = known && Date.now() - known.at < keepMs ? known : this.ask(hash);
    const session = await kept.session;
    return session && Date.parse(session.expires_at) > Date.now() ? session : null;
  }

  /** For routes where five seconds are too long. */
  async findNow(token: string): Promise<Session | null> {
    return this.ask(hashToken(token)).session;
  }

  private ask(hash: string): Kept {
    const session = this.bus.call(checkSession, { token_hash: hash }).then((answer) => answer.session);
    const kept = { session, at: Date.now() };
    if (this.kept.size >= maxKept) this.kept.clear();
    this.kept.set(hash, kept);
    const drop = () => this.kept.get(hash) === kept && this.kept.delete(hash);
    // Neither a failure nor an unknown bearer is worth keeping: the next request asks again.
    session.then((found) => found ?? drop(), drop);
    return kept;
  }

  private async forget(sids: ReadonlySet<string>): Promise<void> {
    const looks = [...this.kept].map(async ([hash, kept]) => {
      const session = await kept.session.catch(() => null);
      if (session && sids.has(session.sid) && this.kept.get(hash) === kept) this.kept.delete(hash);
    });
    await Promise.all(looks);
  }
}
