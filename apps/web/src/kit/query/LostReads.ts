/** A query that got no response from Vigie (`isUnanswered`), or whose service did not respond. */
export type LostRead = { endpointName: string; originalArgs: unknown; queryCacheKey: string; isUnanswered: boolean };
/** `waiting`: some reads wait to be repeated. `unstable`: Vigie itself did not respond to some of them. */
export type LostState = 'none' | 'waiting' | 'unstable';
type Entry = { read: LostRead; lostAt: number; tries: number };

/** A read that fails this often while Vigie responds fails on its own: its screen polls it, ever more slowly. */
const maxTries = 3;
/** A person who sees the failure may press «Réessayer» first, and what failed just now fails again at once. */
const minAgeMs = 1_000;

/** Remembers which reads were lost, so that they are repeated as soon as Vigie responds. */
export class LostReads {
  private readonly entries = new Map<string, Entry>();

  add(read: LostRead, now = Date.now()): void {
    const { tries = 0 } = this.entries.get(read.queryCacheKey) ?? {};
    this.entries.set(read.queryCacheKey, { read, lostAt: now, tries });
  }

  remove(queryCacheKey: string): void {
    this.entries.delete(queryCacheKey);
  }

  get state(): LostState {
    if (this.entries.size === 0) return 'none';
    return [...this.entries.values()].some(({ read }) => read.isUnanswered) ? 'unstable' : 'waiting';
  }

  /** The reads to repeat. After an outage each one counts as lost for the first time. */
  takeDue(isAfterOutage: boolean, now = Date.now()): LostRead[] {
    const due = [...this.entries.values()].filter(
      ({ lostAt, tries }) => isAfterOutage || (tries < maxTries && now - lostAt >= minAgeMs),
    );
    for (const entry of due) entry.tries = isAfterOutage ? 1 : entry.tries + 1;
    return due.map(({ read }) => read);
  }
}
