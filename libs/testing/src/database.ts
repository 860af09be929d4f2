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

/** Creates a database on the test server, empty or from a template, and connects to it. */
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
    query: oneAtATime(client),
    close: () => client.end(),
    drop: async () => {
      await client.end();
      await asAdmin(`drop database ${name} with (force)`, `drop database if exists ${initialCopyOf(name)}`);
      await asAdmin(...['auth', 'sites', 'dns'].map((schema) => `drop role if exists ${name}_${schema}`));
    },
  };
}

const initialCopyOf = (name: string) => `${name}_beginning`;

/** Copies the database's current state. Connected services are cut off and reconnect. */
export async function keepInitialCopy(name: string): Promise<void> {
  const others = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`;
  await asAdmin(`alter database ${name} allow_connections false`);
  try {
    await until(async () => (await asAdmin(others)) === 0);
    await asAdmin(`create database ${initialCopyOf(name)} template ${name}`);
  } finally {
    await asAdmin(`alter database ${name} allow_connections true`);
  }
}

export async function recreateDatabase(name: string): Promise<void> {
  await asAdmin(`drop database ${name} with (force)`, `create database ${name} template ${initialCopyOf(name)}`);
}

/** Counts sessions that wait for a lock, after clearing the statistics snapshot of the transaction. */
export async function waitingFor({ query }: Pick<TestDatabase, 'query'>): Promise<number> {
  await query('select pg_stat_clear_snapshot()');
  const { rows } = await query(
    "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
  );
  return rows.length;
}

/**
 * Empties these tables and those that reference them while services run. It gives up a lock after 100 ms and retries, to
 * avoid a deadlock with a service that holds one table and wants the next.
 */
export async function emptyTables({ query }: Pick<TestDatabase, 'query'>, ...tables: string[]): Promise<void> {
  const statement = `set local lock_timeout = '100ms'; truncate ${tables.join(', ')} cascade`;
  await until(() =>
    query(statement).then(
      () => true,
      (error: { code?: string }) => {
        if (error.code !== '55P03') throw error;
        return false;
      },
    ),
  );
}

/** Runs queries one after the other, even when they are issued at once. */
function oneAtATime(client: Client): Client['query'] {
  let last: Promise<unknown> = Promise.resolve();
  const query = (sql: string, values?: unknown[]) => {
    const answer = last.then(() => client.query(sql, values));
    last = answer.catch(() => undefined);
    return answer;
  };
  return query as Client['query'];
}

/** Runs statements as superuser and returns the number of rows of the last one. */
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
