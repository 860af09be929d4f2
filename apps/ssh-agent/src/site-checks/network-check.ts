import { lookup } from 'node:dns';
import { outboundRule } from '@vigie/ssh/addresses';
import type { Resolve } from './guarded-request';
import { visit } from './visit';

export type NetworkState = 'up' | 'down';

const cacheMs = 10_000;
/** Without a failure it is asked this often, so that it is known to work before it fails. */
const quietMs = 300_000;
const maxMs = 5_000;
/** The addresses are settings of the installation, which may name a host of its own network. */
const mayConnect = outboundRule({ allowsPrivate: true, ranges: [] });
/** Not by the shared resolver, in which names of silent sites may take every place. */
const resolve: Resolve = (name, done) => lookup(name, { all: true, order: 'verbatim' }, done);

/** Requests well-known addresses, to tell a site that fails from a network that fails on this side. */
export class NetworkCheck {
  private last: { state: NetworkState; at: number } | undefined;
  private pending: Promise<NetworkState> | undefined;

  constructor(private readonly urls: readonly string[]) {}

  /** The state to report with these visits; null when they give no reason to ask, or there is nothing to ask. */
  async stateFor(visits: readonly { seen: { code: number } }[]): Promise<NetworkState | null> {
    if (this.urls.length === 0) return null;
    const hasReason = this.last?.state !== 'up' || visits.some(({ seen }) => seen.code === 0);
    const age = performance.now() - (this.last?.at ?? Number.NEGATIVE_INFINITY);
    if (!hasReason && age < quietMs) return null;
    if (this.last && age < cacheMs) return this.last.state;
    this.pending ??= this.ask().finally(() => (this.pending = undefined));
    return this.pending;
  }

  private async ask(): Promise<NetworkState> {
    const state = await Promise.any(this.urls.map(requireAnswer)).then(
      () => 'up' as const,
      () => 'down' as const,
    );
    this.last = { state, at: performance.now() };
    return state;
  }
}

/** Any answer proves the network, so that redirects are not followed. */
async function requireAnswer(url: string): Promise<void> {
  const { code, error } = await visit(url, mayConnect, { ms: maxMs, resolve, followsRedirects: false });
  if (code === 0) throw new Error(`${url}: ${error}`);
}
