import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { testServers } from './servers';
import { urlOf } from './templates';
import { until } from './until';

export type TestDatabase = {
  name: string;
  url: string;
  query: Client['query'];
  close: () => Promise<void>;
  drop: () => Promise<void>;
};

/** A database of its own on the test server, empty or as the template is, and a connection to it. */
export async function createDatabase(template?: string): Promise<TestDatabase> {
  const name = `vigie_${randomBytes(5).toString('hex')}`;
  await asAdmin(`create database ${name}${template === undefined ? '' : ` template ${template}`}`);
  return openDatabase(name);
}

export async function openDatabase(name: string): Promise<TestDatabase> {
  const url = urlOf(name);
  const client = new Client({ connectionString: url });
  // The server ends the connection when a test restarts or drops it.
  client.on('error', () => undefined);
  await client.connect();
  return {
    name,
    url,
    query: inTurn(client),
    close: () => client.end(),
    drop: async () => {
      await client.end();
      await asAdmin(`drop database ${name} with (force)`, `drop database if exists ${beginningOf(name)}`);
      await asAdmin(...['auth', 'sites', 'dns'].map((schema) => `drop role if exists ${name}_${schema}`));
    },
  };
}

const beginningOf = (name: string) => `${name}_beginning`;

/** Keeps a copy of it as it is now, under services that are connected to it: they connect again. */
export async function keepBeginning(name: string): Promise<void> {
  const others = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`;
  await asAdmin(`alter database ${name} allow_connections false`);
  try {
    await until(async () => (await asAdmin(others)) === 0);
    await asAdmin(`create database ${beginningOf(name)} template ${name}`);
  } finally {
    await asAdmin(`alter database ${name} allow_connections true`);
  }
}

/** Makes it again what it was when its beginning was kept. */
export async function recreateDatabase(name: string): Promise<void> {
  await asAdmin(`drop database ${name} with (force)`, `create database ${name} template ${beginningOf(name)}`);
}

/** How many wait for a lock there, as it is now: within a transaction what was read of it once would stay. */
export async function waitingFor({ query }: Pick<TestDatabase, 'query'>): Promise<number> {
  await query('select pg_stat_clear_snapshot()');
  const { rows } = await query(
    "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
  );
  return rows.length;
}

/**
 * Takes everything out of these tables and of those that hang on them, under services that go on: whoever holds one of
 * them may want the next, and is let through first.
 */
export async function emptyTables({ query }: Pick<TestDatabase, 'query'>, ...tables: string[]): Promise<void> {
  const emptying = `set local lock_timeout = '100ms'; truncate ${tables.join(', ')} cascade`;
  await until(() =>
    query(emptying).then(
      () => true,
      (error: { code?: string }) => {
        if (error.code !== '55P03') throw error;
        return false;
      },
    ),
  );
}

/** One after the other, however many ask at once. */
function inTurn(client: Client): Client['query'] {
  let last: Promise<unknown> = Promise.resolve();
  const query = (sql: string, values?: unknown[]) => {
    const answer = last.then(() => client.query(sql, values));
    last = answer.catch(() => undefined);
    return answer;
  };
  return query as Client['query'];
}

/** How many rows the last one of these answered. */
async function asAdmin(...statements: string[]): Promise<number> {
  const client = new Client({ connectionString: testServers().databaseUrl });
  await client.connect();
  try {
    let rows = 0;
    for (const sql of statements) rows = (await client.query(sql)).rowCount ?? 0;
    return rows;
  } finally {
    await client.end();
  }
}
