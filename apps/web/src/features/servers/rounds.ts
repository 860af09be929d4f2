/** A browser has six connections to a host, and a look may take three seconds: the rest of the page needs some too. */
const atOnce = 4;
const everyMs = 60_000;
/** A look was still under way. */
const soonMs = 3_000;
const longestMs = 8 * everyMs;

export type Seen = 'done' | 'refreshing' | 'failed';
export type Look = (id: string, isFresh: boolean) => Promise<Seen>;

type Row = { dueAt: number; isFresh: boolean; isAsked: boolean; failures: number };

/** Asks how each shown server is, again and again: a few at once, later after a failure, not at all while paused. */
export class Rounds {
  private readonly rows = new Map<string, Row>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isPaused = false;
  /** Those that are no longer shown too, until they are answered. */
  private asking = 0;

  constructor(private readonly look: Look) {}

  /** These from now on; one that was not among them is asked first of all. */
  watch(ids: readonly string[]): void {
    for (const id of this.rows.keys()) if (!ids.includes(id)) this.rows.delete(id);
    for (const id of ids) {
      if (!this.rows.has(id)) this.rows.set(id, { dueAt: 0, isFresh: false, isAsked: false, failures: 0 });
    }
    this.goOn();
  }

  /** A new look at every server, whatever was seen of it a moment ago. */
  refresh(): void {
    for (const row of this.rows.values()) Object.assign(row, { dueAt: 0, isFresh: true });
    this.goOn();
  }

  /** After a pause, what could not be asked is asked at once. */
  pause(isPaused: boolean): void {
    this.isPaused = isPaused;
    if (!isPaused) {
      for (const row of this.rows.values()) if (row.failures > 0) Object.assign(row, { dueAt: 0, failures: 0 });
    }
    this.goOn();
  }

  private goOn(): void {
    clearTimeout(this.timer);
    if (this.isPaused) return;
    const waiting = [...this.rows].filter(([, row]) => !row.isAsked).sort(([, a], [, b]) => a.dueAt - b.dueAt);
    const free = atOnce - this.asking;
    const due = waiting.filter(([, row]) => row.dueAt <= Date.now()).slice(0, free);
    for (const [id, row] of due) void this.ask(id, row);
    const next = waiting[due.length]?.[1];
    // With none free, the next answer goes on.
    if (next && due.length < free) this.timer = setTimeout(() => this.goOn(), next.dueAt - Date.now());
  }

  private async ask(id: string, row: Row): Promise<void> {
    const { isFresh } = row;
    Object.assign(row, { isAsked: true, isFresh: false, dueAt: Number.POSITIVE_INFINITY });
    this.asking += 1;
    const seen = await this.look(id, isFresh).catch((): Seen => 'failed');
    this.asking -= 1;
    row.isAsked = false;
    row.failures = seen === 'failed' ? row.failures + 1 : 0;
    const wait = seen === 'refreshing' ? soonMs : Math.min(everyMs * 2 ** row.failures, longestMs);
    // Unless it was wanted sooner meanwhile.
    row.dueAt = Math.min(row.dueAt, Date.now() + wait);
    this.goOn();
  }
}
