import { setTimeout as wait } from 'node:timers/promises';
import { serviceUrl } from '@vigie/service-kit/database';
import { kidOf } from '@vigie/vault/seal';
import { type Client, escapeIdentifier } from 'pg';
import { openDatabase } from '../database';
import { databaseServices, withoutLogin } from '../start/services';
import { type Log, Refusal, fr, reasonOf } from '../terminal';
import type { KeyFiles } from './rings';

/** Longer than any call, so that values that were sealed before are written or lost by then. */
const quietMs = 60_000;
const pollMs = 1_000;
const maxStallMs = 300_000;

type Schema = { name: string; client: Client };
type WatchOptions = { retired: ReadonlySet<string>; log: Log; quietMs?: number };

/**
 * Waits until no database has held a value of a retired key for a while. Logs in with the roles and passwords of these key
 * files, so that the database of another installation is refused instead of counting as resealed.
 */
export async function waitUntilResealed(url: string, files: KeyFiles, options: WatchOptions): Promise<void> {
  const schemas: Schema[] = [];
  try {
    for (const service of databaseServices) {
      const name = service.replace(/-svc$/, '');
      const client = await openDatabase(serviceUrl(withoutLogin(url), name, files[service].database_password));
      // A lost connection makes the next query fail.
      client.on('error', () => undefined);
      schemas.push({ name, client });
    }
    await waitForQuiet(schemas, options);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(
      fr`La base n’a pas pu être lue (${reasonOf(error)}). Relancez la même commande : la rotation reprendra.`,
    );
  } finally {
    await Promise.all(schemas.map(({ client }) => client.end().catch(() => undefined)));
  }
}

async function waitForQuiet(schemas: readonly Schema[], options: WatchOptions): Promise<void> {
  const progress = new Progress(options.log);
  const requiredMs = options.quietMs ?? quietMs;
  // When the search first found nothing. The monotonic clock stops while a machine sleeps, unlike the wall clock.
  let quietSince: number | undefined;
  let horizon: string | undefined;
  for (;;) {
    const haveTransactionsEnded = horizon !== undefined && (await haveOlderTransactionsEnded(schemas, horizon));
    const remaining = await findRetired(schemas, options.retired);
    if (remaining.length > 0) [quietSince, horizon] = [undefined, undefined];
    else if (haveTransactionsEnded) return;
    else {
      quietSince ??= performance.now();
      if (horizon === undefined && performance.now() - quietSince >= requiredMs)
        horizon = await nextTransaction(schemas);
    }
    progress.report(remaining, requiredMs);
    await wait(pollMs);
  }
}

/** Logs changes of the state, and gives up after a while without any. */
class Progress {
  private reportedState = '';
  private changedAt = performance.now();

  constructor(private readonly log: Log) {}

  report(remaining: readonly string[], requiredMs: number): void {
    const state = remaining.length > 0 ? remaining.join(', ') : fr`rien`;
    if (state !== this.reportedState) {
      this.changedAt = performance.now();
      this.log(
        remaining.length > 0
          ? fr`Encore scellé avec les anciennes clés : ${state}.`
          : fr`Tout ce qui est gardé est scellé avec les nouvelles clés. Attend ${requiredMs / 1000} s que s’achève ce qui était en cours…`,
      );
    }
    this.reportedState = state;
    if (performance.now() - this.changedAt < requiredMs + maxStallMs) return;
    const reason =
      remaining.length > 0 ? fr`ne sont pas scellés à neuf : ${state}` : fr`des transactions restent ouvertes`;
    throw new Refusal(
      fr`Rien n’avance plus (${reason}). Les journaux des services disent pourquoi ; relancez ensuite la même commande, elle reprendra.`,
    );
  }
}

/** Counts per column the values of retired keys, including values nested in other JSON. */
async function findRetired(schemas: readonly Schema[], retired: ReadonlySet<string>): Promise<string[]> {
  const counts: string[] = [];
  for (const { name, client } of schemas) {
    // A snapshot, so that a row that moves between two tables is in one of them.
    await client.query('begin transaction isolation level repeatable read read only');
    const { rows: columns } = await client.query<{ table: string; column: string }>(
      `select table_name as table, column_name as column from information_schema.columns
       where table_schema = $1 and data_type in ('json', 'jsonb') order by 1, 2`,
      [name],
    );
    for (const { table, column } of columns) {
      const kids = await readKeyIds(client, `${escapeIdentifier(name)}.${escapeIdentifier(table)}`, column);
      const count = kids.filter((kid) => kid !== undefined && retired.has(kid)).length;
      if (count > 0) counts.push(`${name}.${table}.${column} (${count})`);
    }
    await client.query('commit');
  }
  return counts;
}

async function readKeyIds(client: Client, table: string, column: string): Promise<(string | undefined)[]> {
  const { rows } = await client.query<{ protected: string }>(
    `select value ->> 'protected' as protected
     from ${table} t, jsonb_path_query(t.${escapeIdentifier(column)}::jsonb, 'strict $.**') value
     where jsonb_typeof(value) = 'object' and value ?& array['protected', 'iv', 'ciphertext', 'tag']`,
  );
  return rows.map(kidOf);
}

async function nextTransaction([schema]: readonly Schema[]): Promise<string | undefined> {
  const result = await schema?.client.query<{ xid: string }>(
    'select pg_snapshot_xmax(pg_current_snapshot())::text as xid',
  );
  return result?.rows[0]?.xid;
}

/** Whether every transaction that may have been open at the horizon has ended. */
async function haveOlderTransactionsEnded([schema]: readonly Schema[], horizon: string): Promise<boolean> {
  const result = await schema?.client.query<{ over: boolean }>(
    'select pg_snapshot_xmin(pg_current_snapshot()) >= $1::text::xid8 as over',
    [horizon],
  );
  return result?.rows[0]?.over === true;
}
