/** A look may take three seconds, and a browser has six connections to a host: the rest of the page needs some too. */
const atOnce = 4;
const everyMs = 60_000;
/** A look was still under way. */
const soonMs = 3_000;
const longestMs = 8 * everyMs;

export type Seen = 'done' | 'refreshing' | 'failed';
/** What came of those that were asked of; of one that is not in it nothing is known. */
export type Look = (ids: readonly string[], isFresh: boolean) => Promise<ReadonlyMap<string, Seen>>;
/** What is shown already, and when it was seen. */
export type Shown = { id: string; seenAt: number | undefined };

type Row = { dueAt: number; isFresh: boolean; isAsked: boolean; failures: number };

/** Asks how the shown servers are, again and again: all that are due at once, later after a failure, not while paused. */
export class Rounds {
  private readonly rows = new Map<string, Row>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isPaused = false;
  private asking = 0;

  constructor(private readonly look: Look) {}

  /** These from now on; of one that was not among them it is asked once what is shown of it is a round old. */
  watch(shown: readonly Shown[]): void {
    const ids = new Set(shown.map(({ id }) => id));
    for (const id of this.rows.keys()) if (!ids.has(id)) this.rows.delete(id);
    for (const { id, seenAt } of shown) {
      const dueAt = seenAt === undefined ? 0 : Math.min(seenAt, Date.now()) + everyMs;
      if (!this.rows.has(id)) this.rows.set(id, { dueAt, isFresh: false, isAsked: false, failures: 0 });
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
    // With none free, the next answer goes on.
    if (this.isPaused || this.asking >= atOnce) return;
    const waiting = [...this.rows].filter(([, row]) => !row.isAsked);
    const due = waiting.filter(([, row]) => row.dueAt <= Date.now());
    const anew = due.filter(([, row]) => row.isFresh);
    const again = due.filter(([, row]) => !row.isFresh);
    if (anew.length > 0) void this.ask(anew, true);
    if (again.length > 0) void this.ask(again, false);
    const next = Math.min(...waiting.filter(([, row]) => !row.isAsked).map(([, row]) => row.dueAt));
    if (Number.isFinite(next)) this.timer = setTimeout(() => this.goOn(), next - Date.now());
  }

  private async ask(rows: readonly [string, Row][], isFresh: boolean): Promise<void> {
    for (const [, row] of rows) Object.assign(row, { isAsked: true, isFresh: false, dueAt: Number.POSITIVE_INFINITY });
    this.asking += 1;
    const ids = rows.map(([id]) => id);
    const seen = await this.look(ids, isFresh).catch(() => new Map<string, Seen>());
    this.asking -= 1;
    for (const [id, row] of rows) settle(row, seen.get(id) ?? 'failed');
    this.goOn();
  }
}

function settle(row: Row, seen: Seen): void {
  row.isAsked = false;
  row.failures = seen === 'failed' ? row.failures + 1 : 0;
  const wait = seen === 'refreshing' ? soonMs : Math.min(everyMs * 2 ** row.failures, longestMs);
  // Unless it was wanted sooner meanwhile.
  row.dueAt = Math.min(row.dueAt, Date.now() + wait);
}
