import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { testServers } from './servers';
import { urlOf } from './templates';
import { until } from './until';

export type TestDatabase = { url: string; query: Client['query']; drop: () => Promise<void> };

/** A database of its own on the test server, empty or as the template is, and a connection to it. */
export async function createDatabase(template?: string): Promise<TestDatabase> {
  const name = `vigie_${randomBytes(5).toString('hex')}`;
  await asAdmin(`create database ${name}${template === undefined ? '' : ` template ${template}`}`);
  const url = urlOf(name);
  const client = new Client({ connectionString: url });
  // The server ends the connection when a test restarts or drops it.
  client.on('error', () => undefined);
  await client.connect();
  return {
    url,
    query: inTurn(client),
    drop: async () => {
      await client.end();
      await asAdmin(`drop database ${name} with (force)`);
      for (const schema of ['auth', 'sites', 'dns']) await asAdmin(`drop role if exists ${name}_${schema}`);
    },
  };
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

async function asAdmin(sql: string): Promise<void> {
  const client = new Client({ connectionString: testServers().databaseUrl });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
