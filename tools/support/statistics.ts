import { escapeIdentifier, type Client } from 'pg';
import { schemas as known } from '../backup/catalogue';

/** Excludes schemas of other products in the same database. */
const schemaNames = `array[${known.map(({ name }) => `'${name}'`).join(', ')}]::text[]`;

/** The queries return only counts and times. A kind or code is included only if it looks like a word of the code. */
const safeWord = (column: string) => `case when ${column} ~ '^[a-z_.-]{1,60}$' then ${column} else '?' end`;

const queries = {
  server: `select current_setting('server_version') as version, pg_database_size(current_database()) as bytes,
    (select count(*)::int from pg_stat_activity where datname = current_database()) as connections`,
  tables: `select schemaname as schema, relname as table, n_live_tup as rows, pg_total_relation_size(relid) as bytes
    from pg_stat_user_tables where schemaname = any(${schemaNames}) order by bytes desc limit 60`,
  jobs: `select ${safeWord('kind')} as kind, state, is_batch, count(*)::int as n, min(created_at) as oldest,
      max(finished_at) as newest_end, max(attempts) as most_attempts
    from sites.jobs group by 1, 2, 3 order by 1, 2, 3`,
  failures: `select ${safeWord('kind')} as kind, state, ${safeWord("coalesce(error ->> 'code', '-')")} as code, count(*)::int as n
    from sites.jobs where state in ('failed', 'unknown') and finished_at > now() - interval '7 days'
    group by 1, 2, 3 order by n desc limit 100`,
  leases: `select count(*) filter (where lease_until > now())::int as held, count(*) filter (where lease_until <= now())::int as run_out
    from sites.jobs where state in ('queued', 'running') and not is_batch`,
  sweeps: `select ${safeWord('kind')} as kind, count(*)::int as targets, count(*) filter (where next_at <= now())::int as due,
      greatest(0, extract(epoch from now() - min(next_at)))::int as lag_seconds
    from sites.sweeps group by 1 order by 1`,
  fleet: `select (select count(*)::int from sites.sites) as sites, (select count(*)::int from sites.servers) as servers,
    (select count(*)::int from auth.users) as users`,
};

type Rows = Record<string, unknown>[];

/** Reads statistics of the database; the result of a failed query is its reason. */
export async function readStatistics(
  client: Client,
  reasonOf: (error: unknown) => string,
): Promise<Record<string, unknown>> {
  const query = async (sql: string): Promise<Rows | string> =>
    client.query(sql).then(({ rows }: { rows: Rows }) => rows, reasonOf);
  const results: Record<string, unknown> = {};
  for (const [name, sql] of Object.entries(queries)) results[name] = await query(sql);
  return { ...results, schemas: await readSchemas(client, query) };
}

const schemaQueries: Record<string, string> = {
  migrations: 'select name from $table order by name',
  outbox: 'select count(*)::int as rows, max(at) as newest from $table',
  outbox_cursors: 'select source, xid::text, seq::text from $table order by 1',
  audit_pending: 'select count(*)::int as unchained from $table',
};

async function readSchemas(client: Client, query: (sql: string) => Promise<Rows | string>) {
  const { rows } = await client.query<{ schema: string; table: string }>(
    `select schemaname as schema, tablename as table from pg_tables
     where schemaname = any(${schemaNames}) and tablename = any($1) order by 1, 2`,
    [Object.keys(schemaQueries)],
  );
  const results: Record<string, Record<string, unknown>> = {};
  for (const { schema, table } of rows) {
    const tableName = `${escapeIdentifier(schema)}.${escapeIdentifier(table)}`;
    results[schema] = {
      ...results[schema],
      [table]: await query((schemaQueries[table] ?? '').replace('$table', () => tableName)),
    };
  }
  return results;
}
