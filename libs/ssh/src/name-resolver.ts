import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { Semaphore, KeyedSemaphores } from './semaphore';

/** libuv runs 32 look-ups at once on its 64 threads; these limits leave some of them to the rest of the process. */
const defaults = {
  answered: 16,
  unknown: 8,
  silent: 4,
  /** Names of one domain share their name servers, which fail together. */
  perDomain: 4,
  /** Wait for other names of the same domain; longer than any caller waits. */
  domainWaitMs: 12_000,
  /** Wait for a place in the lane; short enough for the caller to learn that its name was not looked up. */
  laneWaitMs: 6_000,
  slowMs: 2_000,
  retryAfterMs: 60_000,
  maxRemembered: 10_000,
};

type LookUp = (name: string) => Promise<LookupAddress[]>;
type FailedLookup = { error: unknown; until: number };

const lookUpBySystem: LookUp = (name) => lookup(name, { all: true, order: 'verbatim' });

/** Other names occupied every place, so this name was not looked up; it may well exist. */
export class NotResolved extends Error {
  readonly code = 'EUNASKED';
}

/**
 * The system blocks a thread for each look-up until name servers answer, or for half a minute. So each name is looked
 * up once at a time; a name that timed out rests for a while and then shares its few places with other silent names.
 */
export class NameResolver {
  private readonly limits: typeof defaults;
  private readonly pending = new Map<string, Promise<LookupAddress[]>>();
  /** The result of each name's last look-up, which chooses the lane of the next one. */
  private readonly results = new Map<string, 'answered' | FailedLookup>();
  private readonly lanes: Record<'answered' | 'unknown' | 'silent', Semaphore>;
  private readonly domains: KeyedSemaphores;

  constructor(
    private readonly lookUp: LookUp = lookUpBySystem,
    limits: Partial<typeof defaults> = {},
  ) {
    this.limits = { ...defaults, ...limits };
    const { answered, unknown, silent, perDomain } = this.limits;
    this.lanes = { answered: new Semaphore(answered), unknown: new Semaphore(unknown), silent: new Semaphore(silent) };
    this.domains = new KeyedSemaphores(perDomain);
  }

  async resolve(host: string): Promise<LookupAddress[]> {
    if (isIP(host) !== 0) return this.lookUp(host);
    const name = host.toLowerCase().replace(/\.$/, '');
    const lastResult = this.results.get(name);
    if (lastResult && lastResult !== 'answered' && lastResult.until > performance.now()) throw lastResult.error;
    const pendingLookup = this.pending.get(name);
    if (pendingLookup) return pendingLookup;
    const newLookup = this.lookUpInLane(name).finally(() => this.pending.delete(name));
    this.pending.set(name, newLookup);
    return newLookup;
  }

  private async lookUpInLane(name: string): Promise<LookupAddress[]> {
    const lastResult = this.results.get(name) ?? 'unknown';
    const lane = typeof lastResult === 'string' ? lastResult : 'silent';
    const signal = AbortSignal.timeout(this.limits.domainWaitMs);
    const releaseDomain = await this.domains.acquire(`${lane} ${domainOf(name)}`, signal);
    try {
      const releaseLane = await this.lanes[lane].acquire(AbortSignal.timeout(this.limits.laneWaitMs)).catch(() => {
        throw typeof lastResult === 'string' ? new NotResolved(`${name} was not looked up`) : lastResult.error;
      });
      return await this.lookUpNow(name).finally(releaseLane);
    } finally {
      releaseDomain();
    }
  }

  private async lookUpNow(name: string): Promise<LookupAddress[]> {
    const startedAt = performance.now();
    try {
      const addresses = await this.lookUp(name);
      this.remember(name, 'answered');
      return addresses;
    } catch (error) {
      const now = performance.now();
      const isSlow = now - startedAt >= this.limits.slowMs;
      this.remember(name, isSlow ? { error, until: now + this.limits.retryAfterMs } : undefined);
      throw error;
    }
  }

  /** Moves the name to the end of the map, whose first entries are dropped when it is full. */
  private remember(name: string, lastResult: 'answered' | FailedLookup | undefined): void {
    this.results.delete(name);
    if (lastResult) this.results.set(name, lastResult);
    const [oldest] = this.results.keys();
    if (oldest !== undefined && this.results.size > this.limits.maxRemembered) this.results.delete(oldest);
  }
}

const domainOf = (name: string) => name.split('.').slice(-2).join('.');

/** One instance for the process, as its threads are. */
export const nameResolver = new NameResolver();
