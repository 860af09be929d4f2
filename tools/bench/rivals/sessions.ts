import { createHash } from 'node:crypto';

export type Session = { userId: string; expiresAt: Date };

const cacheMs = 5_000;

/** Caches sessions as long as the gateway does, so that a request has the same cost in a rival. */
export class Sessions {
  private readonly cached = new Map<string, { session: Promise<Session | null>; at: number }>();

  constructor(private readonly load: (tokenHash: string) => Promise<Session | null>) {}

  async find(authorization: string | undefined): Promise<Session | null> {
    const token = /^Bearer ([A-Za-z0-9_-]{43})$/i.exec(authorization ?? '')?.[1];
    if (!token) return null;
    const hash = createHash('sha256').update(token).digest('hex');
    const cachedEntry = this.cached.get(hash);
    const entry = cachedEntry && Date.now() - cachedEntry.at < cacheMs ? cachedEntry : this.loadAndCache(hash);
    const session = await entry.session;
    return session && session.expiresAt.getTime() > Date.now() ? session : null;
  }

  private loadAndCache(hash: string) {
    const entry = { session: this.load(hash), at: Date.now() };
    this.cached.set(hash, entry);
    return entry;
  }
}
