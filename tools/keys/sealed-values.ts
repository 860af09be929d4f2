import { setTimeout as wait } from 'node:timers/promises';
import { serviceUrl } from '@vigie/service-kit/database';
import { kidOf } from '@vigie/vault/seal';
import { type Client, escapeIdentifier } from 'pg';
import { openDatabase } from '../database';
import { databaseServices, withoutLogin } from '../start/services';
import { type Log, Refusal, fr, reasonOf } from '../terminal';
import type { KeyFiles } from './rings';

/** Longer than a call may take: whatever was read or sealed before is written by then, or never. */
const quietMs = 60_000;
const lookEveryMs = 1_000;
const patienceMs = 300_000;

type Schema = { name: string; client: Client };
type Watch = { retired: ReadonlySet<string>; log: Log; quietMs?: number };

/**
 * Waits until every database has held nothing for a while that a retired key opens. It is reached by the roles and
 * passwords of these very key files: those of another installation are refused, instead of being found clean.
 */
export async function waitUntilResealed(url: string, files: KeyFiles, watch: Watch): Promise<void> {
  const schemas: Schema[] = [];
  try {
    for (const service of databaseServices) {
      const name = service.replace(/-svc$/, '');
      const client = await openDatabase(serviceUrl(withoutLogin(url), name, files[service].database_password));
      // A connection that is lost fails the next query.
      client.on('error', () => undefined);
      schemas.push({ name, client });
    }
    await waitForQuiet(schemas, watch);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(
      fr`La base n’a pas pu être lue (${reasonOf(error)}). Relancez la même commande : la rotation reprendra.`,
    );
  } finally {
    await Promise.all(schemas.map(({ client }) => client.end().catch(() => undefined)));
  }
}

async function waitForQuiet(schemas: readonly Schema[], watch: Watch): Promise<void> {
  const progress = new Progress(watch.log);
  const needed = watch.quietMs ?? quietMs;
  // Since when nothing was found; not by the clock of the wall, which goes on while a machine sleeps.
  let since: number | undefined;
  let horizon: string | undefined;
  for (;;) {
    const areOver = horizon !== undefined && (await areTransactionsOver(schemas, horizon));
    const left = await findRetired(schemas, watch.retired);
    if (left.length > 0) [since, horizon] = [undefined, undefined];
    else if (areOver) return;
    else {
      since ??= performance.now();
      if (horizon === undefined && performance.now() - since >= needed) horizon = await nextTransaction(schemas);
    }
    progress.tell(left, needed);
    await wait(lookEveryMs);
  }
}

/** Says what changed, and gives up when nothing does. */
class Progress {
  private told = '';
  private changedAt = performance.now();

  constructor(private readonly log: Log) {}

  tell(left: readonly string[], needed: number): void {
    const state = left.length > 0 ? left.join(', ') : fr`rien`;
    if (state !== this.told) {
      this.changedAt = performance.now();
      this.log(
        left.length > 0
          ? fr`Encore scellé avec les anciennes clés : ${state}.`
          : fr`Tout ce qui est gardé est scellé avec les nouvelles clés. Attend ${needed / 1000} s que s’achève ce qui était en cours…`,
      );
    }
    this.told = state;
    if (performance.now() - this.changedAt < needed + patienceMs) return;
    const reason = left.length > 0 ? fr`ne sont pas scellés à neuf : ${state}` : fr`des transactions restent ouvertes`;
    throw new Refusal(
      fr`Rien n’avance plus (${reason}). Les journaux des services disent pourquoi ; relancez ensuite la même commande, elle reprendra.`,
    );
  }
}

/** How many values of which column a retired key opens; also those that stand inside of others. */
async function findRetired(schemas: readonly Schema[], retired: ReadonlySet<string>): Promise<string[]> {
  const found: string[] = [];
  for (const { name, client } of schemas) {
    // One moment for all of it: what moves from a table to another is in one of them.
    await client.query('begin transaction isolation level repeatable read read only');
    const { rows: columns } = await client.query<{ table: string; column: string }>(
      `select table_name as table, column_name as column from information_schema.columns
       where table_schema = $1 and data_type in ('json', 'jsonb') order by 1, 2`,
      [name],
    );
    for (const { table, column } of columns) {
      const kids = await kidsIn(client, `${escapeIdentifier(name)}.${escapeIdentifier(table)}`, column);
      const count = kids.filter((kid) => kid !== undefined && retired.has(kid)).length;
      if (count > 0) found.push(`${name}.${table}.${column} (${count})`);
    }
    await client.query('commit');
  }
  return found;
}

async function kidsIn(client: Client, table: string, column: string): Promise<(string | undefined)[]> {
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

/** Whether every transaction has ended that could have been under way then. */
async function areTransactionsOver([schema]: readonly Schema[], horizon: string): Promise<boolean> {
  const result = await schema?.client.query<{ over: boolean }>(
    'select pg_snapshot_xmin(pg_current_snapshot()) >= $1::text::xid8 as over',
    [horizon],
  );
  return result?.rows[0]?.over === true;
}
