import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { Gate, Gates } from './gate';

/** Of the 32 look-ups that 64 threads of libuv have at once: what else the process looks up needs some too. */
const defaults = {
  answered: 16,
  unknown: 8,
  silent: 4,
  /** Names of one domain fall silent together. */
  ofDomain: 4,
  /** For names of one domain: longer than whoever asks waits for it. */
  waitMs: 12_000,
  /** For names of others: less, so that whoever asks hears that nobody was asked. */
  turnMs: 6_000,
  slowMs: 2_000,
  restMs: 60_000,
  remembered: 10_000,
};

type Ask = (name: string) => Promise<LookupAddress[]>;
type Silence = { error: unknown; until: number };

const askSystem: Ask = (name) => lookup(name, { all: true, order: 'verbatim' });

/** Other names had all the places: it says nothing of this one. */
export class NotResolved extends Error {
  readonly code = 'EUNASKED';
}

/**
 * The system keeps a thread for each look-up until name servers answer, or for half a minute. So a name is looked up
 * once at a time, one that nobody answered for is left alone for a while, and then waits behind its like only.
 */
export class Names {
  private readonly limits: typeof defaults;
  private readonly asked = new Map<string, Promise<LookupAddress[]>>();
  /** How the last look-up ended, where it says how long the next one may last. */
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

  /** Last in the order in which they are forgotten when there are too many. */
  private remember(name: string, past: 'answered' | Silence | undefined): void {
    this.past.delete(name);
    if (past) this.past.set(name, past);
    const [oldest] = this.past.keys();
    if (oldest !== undefined && this.past.size > this.limits.remembered) this.past.delete(oldest);
  }
}

const domainOf = (name: string) => name.split('.').slice(-2).join('.');

/** The threads are the process's, and so is this. */
export const names = new Names();
