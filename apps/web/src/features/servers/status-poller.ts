/** A check may take three seconds, and a browser opens six connections to a host: the page needs some of them. */
const maxRequests = 4;
const pollMs = 60_000;
/** The wait before asking again about a check that is still running. */
const refreshingMs = 3_000;
const maxWaitMs = 4 * pollMs;

export type PollResult = 'done' | 'refreshing' | 'failed';
/** Resolves to the result of each server; a missing server counts as failed. */
export type FetchStatuses = (ids: readonly string[], isFresh: boolean) => Promise<ReadonlyMap<string, PollResult>>;
export type WatchedServer = { id: string; checkedAt: number | undefined };

type Row = { dueAt: number; isFresh: boolean; isPending: boolean; failures: number };

/** Polls the statuses of the shown servers: all due ones in one request, with a back-off after failures. */
export class StatusPoller {
  private readonly rows = new Map<string, Row>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isPaused = false;
  private requests = 0;

  constructor(private readonly fetchStatuses: FetchStatuses) {}

  /** Replaces the watched servers; a new one is polled once its shown status is a minute old. */
  watch(servers: readonly WatchedServer[]): void {
    const ids = new Set(servers.map(({ id }) => id));
    for (const id of this.rows.keys()) if (!ids.has(id)) this.rows.delete(id);
    for (const { id, checkedAt } of servers) {
      const dueAt = checkedAt === undefined ? 0 : Math.min(checkedAt, Date.now()) + pollMs;
      if (!this.rows.has(id)) this.rows.set(id, { dueAt, isFresh: false, isPending: false, failures: 0 });
    }
    this.pollDue();
  }

  /** Makes the server check every watched server now, however recent its status. */
  refresh(): void {
    for (const row of this.rows.values()) Object.assign(row, { dueAt: 0, isFresh: true });
    this.pollDue();
  }

  /** After a pause, failed servers are polled at once. */
  pause(isPaused: boolean): void {
    this.isPaused = isPaused;
    if (!isPaused) {
      for (const row of this.rows.values()) if (row.failures > 0) Object.assign(row, { dueAt: 0, failures: 0 });
    }
    this.pollDue();
  }

  private pollDue(): void {
    clearTimeout(this.timer);
    // When all requests are in use, the next answer continues.
    if (this.isPaused || this.requests >= maxRequests) return;
    const idle = [...this.rows].filter(([, row]) => !row.isPending);
    const due = idle.filter(([, row]) => row.dueAt <= Date.now());
    const fresh = due.filter(([, row]) => row.isFresh);
    const stale = due.filter(([, row]) => !row.isFresh);
    if (fresh.length > 0) void this.poll(fresh, true);
    if (stale.length > 0) void this.poll(stale, false);
    const next = Math.min(...idle.filter(([, row]) => !row.isPending).map(([, row]) => row.dueAt));
    if (Number.isFinite(next)) this.timer = setTimeout(() => this.pollDue(), next - Date.now());
  }

  private async poll(rows: readonly [string, Row][], isFresh: boolean): Promise<void> {
    for (const [, row] of rows)
      Object.assign(row, { isPending: true, isFresh: false, dueAt: Number.POSITIVE_INFINITY });
    this.requests += 1;
    const ids = rows.map(([id]) => id);
    const result = await this.fetchStatuses(ids, isFresh).catch(() => new Map<string, PollResult>());
    this.requests -= 1;
    for (const [id, row] of rows) schedule(row, result.get(id) ?? 'failed');
    this.pollDue();
  }
}

function schedule(row: Row, result: PollResult): void {
  row.isPending = false;
  row.failures = result === 'failed' ? row.failures + 1 : 0;
  const wait = result === 'refreshing' ? refreshingMs : Math.min(pollMs * 2 ** row.failures, maxWaitMs);
  // A refresh may have asked for an earlier poll meanwhile.
  row.dueAt = Math.min(row.dueAt, Date.now() + wait);
}
