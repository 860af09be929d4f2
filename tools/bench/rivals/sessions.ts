import { createHash } from 'node:crypto';

export type Session = { userId: string; expiresAt: Date };

const keepMs = 5_000;

/** Who a bearer is, kept for as long as the gateway keeps it, so that each request costs a rival the same look-ups. */
export class Sessions {
  private readonly kept = new Map<string, { session: Promise<Session | null>; at: number }>();

  constructor(private readonly find: (tokenHash: string) => Promise<Session | null>) {}

  async of(authorization: string | undefined): Promise<Session | null> {
    const token = /^Bearer ([A-Za-z0-9_-]{43})$/i.exec(authorization ?? '')?.[1];
    if (!token) return null;
    const hash = createHash('sha256').update(token).digest('hex');
    const known = this.kept.get(hash);
    const kept = known && Date.now() - known.at < keepMs ? known : this.ask(hash);
    const session = await kept.session;
    return session && session.expiresAt.getTime() > Date.now() ? session : null;
  }

  private ask(hash: string) {
    const kept = { session: this.find(hash), at: Date.now() };
    this.kept.set(hash, kept);
    return kept;
  }
}
