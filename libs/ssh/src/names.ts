import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { Gate, Gates } from './gate';

/** libuv runs 32 look-ups at once on its 64 threads; these limits leave some of them to the rest of the process. */
const defaults = {
  answered: 16,
  unknown: 8,
  silent: 4,
  /** Names of one domain share their name servers, which fail together. */
  ofDomain: 4,
  /** Wait for other names of the same domain; longer than any caller waits. */
  waitMs: 12_000,
  /** Wait for a place in the lane; short enough for the caller to learn that its name was not looked up. */
  turnMs: 6_000,
  slowMs: 2_000,
  restMs: 60_000,
  remembered: 10_000,
};

type Ask = (name: string) => Promise<LookupAddress[]>;
type Silence = { error: unknown; until: number };

const askSystem: Ask = (name) => lookup(name, { all: true, order: 'verbatim' });

/** Other names occupied every place, so this name was not looked up; it may well exist. */
export class NotResolved extends Error {
  readonly code = 'EUNASKED';
}

/**
 * The system blocks a thread for each look-up until name servers answer, or for half a minute. So each name is looked
 * up once at a time; a name that timed out rests for a while and then shares its few places with other silent names.
 */
export class Names {
  private readonly limits: typeof defaults;
  private readonly asked = new Map<string, Promise<LookupAddress[]>>();
  /** The result of each name's last look-up, which chooses the lane of the next one. */
  private readonly past = new Map<string, 'answered' | Silence>();
  private readonly lanes: Record<'answered' | 'unknown' | 'silent', Gate>;
  private readonly domains: Gates;

  constructor(
    private readonly ask: Ask = askSystem,
    limits: Partial<typeof defaults> = {},
  ) {
    this.limits = { ...defaults, ...limits };
    const { answered, unknown, silent, ofDomain } = this.limits;
    this.lanes = { answered: new Gate(answered), unknown: new Gate(unknown), silent: new Gate(silent) };
    this.domains = new Gates(ofDomain);
  }

  async find(host: string): Promise<LookupAddress[]> {
    if (isIP(host) !== 0) return this.ask(host);
    const name = host.toLowerCase().replace(/\.$/, '');
    const past = this.past.get(name);
    if (past && past !== 'answered' && past.until > performance.now()) throw past.error;
    const known = this.asked.get(name);
    if (known) return known;
    const asked = this.look(name).finally(() => this.asked.delete(name));
    this.asked.set(name, asked);
    return asked;
  }

  private async look(name: string): Promise<LookupAddress[]> {
    const past = this.past.get(name) ?? 'unknown';
    const lane = typeof past === 'string' ? past : 'silent';
    const signal = AbortSignal.timeout(this.limits.waitMs);
    const leaveDomain = await this.domains.enter(`${lane} ${domainOf(name)}`, signal);
    try {
      const leave = await this.lanes[lane].enter(AbortSignal.timeout(this.limits.turnMs)).catch(() => {
        throw typeof past === 'string' ? new NotResolved(`${name} was not looked up`) : past.error;
      });
      return await this.askNow(name).finally(leave);
    } finally {
      leaveDomain();
    }
  }

  private async askNow(name: string): Promise<LookupAddress[]> {
    const begun = performance.now();
    try {
      const found = await this.ask(name);
      this.remember(name, 'answered');
      return found;
    } catch (error) {
      const now = performance.now();
      const isSlow = now - begun >= this.limits.slowMs;
      this.remember(name, isSlow ? { error, until: now + this.limits.restMs } : undefined);
      throw error;
    }
  }

  /** Moves the name to the end of the map, whose first entries are dropped when it is full. */
  private remember(name: string, past: 'answered' | Silence | undefined): void {
    this.past.delete(name);
    if (past) this.past.set(name, past);
    const [oldest] = this.past.keys();
    if (oldest !== undefined && this.past.size > this.limits.remembered) this.past.delete(oldest);
  }
}

const domainOf = (name: string) => name.split('.').slice(-2).join('.');

/** One instance for the process, as its threads are. */
export const names = new Names();
