import { type Contract, type Event, type Input, ownerOf } from '@vigie/contracts/contract';
import { OutboxEvent, OutboxBatch, type OutboxCursor } from '@vigie/contracts/outbox';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { v7 as uuid } from 'uuid';
import type { Bus } from './bus';
import type { Log } from './log';
import { readAtScrape } from './metrics';

const batchSize = 200;
const pullEveryMs = 5_000;
/** The exact length of a longer queue is not needed. */
const maxCounted = 10_000;
const startCursor: OutboxCursor = { xid: '0', seq: '0' };

/** Runs in the first migration of a service with an outbox. It must never change: later migrations build on it. */
export async function createOutbox(runner: QueryRunner): Promise<void> {
  await runner.query(`
    create table outbox (
      xid xid8 not null default pg_current_xact_id(),
      seq bigint generated always as identity,
      id uuid not null,
      fact jsonb not null,
      at timestamptz not null default now(),
      primary key (xid, seq)
    )`);
  await runner.query('create index outbox_at on outbox (at)');
}

/** Creates the table where a service stores how far it has read other outboxes. */
export const createOutboxCursors = (runner: QueryRunner) =>
  runner.query(`
    create table outbox_cursors (
      source text primary key,
      xid xid8 not null,
      seq bigint not null
    )`);

export const writeOutboxEvent = (manager: EntityManager, event: OutboxEvent): Promise<void> =>
  writeOutboxEvents(manager, [event]);

/** Writes all events in one statement, in their order. */
export async function writeOutboxEvents(manager: EntityManager, events: readonly OutboxEvent[]): Promise<void> {
  const rows = events.map((event) => ({ id: uuid(), fact: OutboxEvent.parse(event) }));
  await manager.query(
    `insert into outbox (id, fact) select (r ->> 'id')::uuid, r -> 'fact'
     from jsonb_array_elements($1::jsonb) with ordinality x(r, n) order by n`,
    [JSON.stringify(rows)],
  );
}

/**
 * Returns the events after a cursor. Rows of a transaction wait until every older transaction has ended, because one
 * that commits late would otherwise appear behind a cursor that has passed it.
 */
export async function readOutboxEvents(database: DataSource, after: OutboxCursor, limit: number): Promise<OutboxBatch> {
  const rows: { id: string; xid: string; seq: string; fact: unknown }[] = await database.query(
    // Qualified: a bare name in `order by` would mean the text of the select list, and 10 would come before 9.
    `select id, xid::text, seq::text, fact from outbox o
     where (o.xid, o.seq) > ($1::text::xid8, $2::bigint) and o.xid < pg_snapshot_xmin(pg_current_snapshot())
     order by o.xid, o.seq limit $3`,
    [after.xid, after.seq, limit],
  );
  const items = rows.map(({ id, xid, seq, fact: event }) => ({ id, cursor: { xid, seq }, fact: event }));
  const last = items.length === limit ? items.at(-1)?.cursor : undefined;
  return { items, has_more: last !== undefined, left: last ? await countEvents(database, last) : 0 };
}

async function countEvents(database: DataSource, after: OutboxCursor): Promise<number> {
  const [counted]: { n: number }[] = await database.query(
    `select count(*)::int as n from (
       select from outbox o where (o.xid, o.seq) > ($1::text::xid8, $2::bigint)
         and o.xid < pg_snapshot_xmin(pg_current_snapshot()) limit $3) rest`,
    [after.xid, after.seq, maxCounted],
  );
  return counted?.n ?? 0;
}

export type OutboxSource = {
  read: Contract & { input: { _zod: { output: { after: OutboxCursor; limit: number } } } };
  written: Event;
};

type Apply = (manager: EntityManager, id: string, event: OutboxEvent) => Promise<void>;

/**
 * Pulls the events of another service and moves the cursor in the transaction that applies them, so that each event is
 * applied once, even when a process dies in between. All replicas may pull; one of them moves the cursor.
 */
export class OutboxReader {
  private timer: NodeJS.Timeout | undefined;
  private pulling: Promise<void> | undefined;
  private isStopped = false;
  /** Events that are known to wait, and when the last pull found none. */
  private waiting = 0;
  private caughtUpAt = performance.now();

  constructor(
    private readonly source: OutboxSource,
    private readonly database: DataSource,
    private readonly bus: Bus,
    private readonly log: Log,
    private readonly apply: Apply,
  ) {}

  start(): void {
    this.bus.subscribe(this.source.written, () => this.requestPull());
    const labels = { source: ownerOf(this.source.read.name) };
    readAtScrape(`outbox of ${labels.source}`, () => [
      { name: 'vigie_outbox_lag_rows', labels, value: this.waiting },
      { name: 'vigie_outbox_lag_seconds', labels, value: (performance.now() - this.caughtUpAt) / 1_000 },
    ]);
    this.timer = setInterval(() => this.requestPull(), pullEveryMs);
    this.requestPull();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearInterval(this.timer);
    await this.pulling;
  }

  private isPullRequested = false;

  /** Several hints during one pull cause one more pull. */
  private requestPull(): void {
    this.isPullRequested = true;
    this.pulling ??= this.pull()
      .catch((error: unknown) =>
        this.log.warn({ err: error, source: this.source.read.name }, 'outbox events wait to be pulled'),
      )
      .finally(() => {
        this.pulling = undefined;
      });
  }

  private async pull(): Promise<void> {
    while (this.isPullRequested && !this.isStopped) {
      this.isPullRequested = false;
      const after = await this.cursor();
      const input: Input<OutboxSource['read']> = { after, limit: batchSize };
      const batch = OutboxBatch.parse(await this.bus.call(this.source.read, input));
      this.waiting = batch.items.length + batch.left;
      if (batch.items.length > 0) await this.applyBatch(after, batch.items);
      this.waiting = batch.left;
      if (batch.has_more) this.isPullRequested = true;
      else this.caughtUpAt = performance.now();
    }
  }

  private async cursor(): Promise<OutboxCursor> {
    const [cursor]: OutboxCursor[] = await this.database.query(
      'select xid::text, seq::text from outbox_cursors where source = $1',
      [this.source.read.name],
    );
    return cursor ?? startCursor;
  }

  private async applyBatch(after: OutboxCursor, items: OutboxBatch['items']): Promise<void> {
    const last = items.at(-1)?.cursor ?? after;
    await this.database.transaction(async (manager) => {
      if (!(await this.moveCursor(manager, after, last))) return;
      for (const { id, fact: event } of items) {
        const parsed = OutboxEvent.safeParse(event);
        // An event of a later release does not concern this one.
        if (parsed.success) await this.apply(manager, id, parsed.data);
      }
    });
  }

  /** Returns false when another replica moved the cursor meanwhile. */
  private async moveCursor(manager: EntityManager, from: OutboxCursor, to: OutboxCursor): Promise<boolean> {
    const rows: unknown[] = await manager.query(
      `insert into outbox_cursors as c (source, xid, seq) values ($1, $2::text::xid8, $3::bigint)
       on conflict (source) do update set xid = excluded.xid, seq = excluded.seq
       where (c.xid, c.seq) = ($4::text::xid8, $5::bigint) returning source`,
      [this.source.read.name, to.xid, to.seq, from.xid, from.seq],
    );
    return rows.length > 0;
  }
}
