import { type Client, escapeIdentifier } from 'pg';
import { databaseServices } from '../start/services';
import { Refusal, fr } from '../terminal';
import type { Schema } from './format';

/** Of all services that have a database. */
export const schemas = databaseServices.map((service) => ({ service, name: service.replace(/-svc$/, '') }));

/** Where TypeORM notes what it ran: it is named by the manifest, and made anew by the migrations themselves. */
export const migrationsTable = 'migrations';

export const tableOf = (schema: string, table: string) => `${escapeIdentifier(schema)}.${escapeIdentifier(table)}`;

/** How values are written in both directions, whatever the server prefers. */
export async function speakPlainly(client: Client): Promise<void> {
  await client.query("set client_encoding to 'UTF8'; set datestyle to 'ISO, MDY'; set timezone to 'UTC'");
  await client.query("set intervalstyle to 'postgres'; set extra_float_digits to 3; set statement_timeout to 0");
  // Files come after rows, in the same transaction, and may take hours.
  await client.query('set idle_in_transaction_session_timeout to 0; set lock_timeout to 0');
}

/** What a schema holds that is to be copied. */
export async function readSchema(client: Client, name: string, migrations = migrationsTable): Promise<Schema> {
  const found = await client.query<{ name: string }>(
    `select name from ${tableOf(name, migrations)} order by timestamp, id`,
  );
  const { rows: tables } = await client.query<{ name: string; columns: string[] }>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = $1::text::regnamespace and c.relkind = 'r' and c.relname <> $2
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     group by c.relname order by c.relname`,
    [name, migrations],
  );
  return {
    name,
    migrations: found.rows.map((row) => row.name),
    tables,
    sequences: await readSequences(client, name, migrations),
  };
}

async function readSequences(client: Client, schema: string, migrations: string): Promise<Schema['sequences']> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relnamespace = $1::text::regnamespace and c.relkind = 'S'
       and not exists (select from pg_depend d join pg_class t on t.oid = d.refobjid
         where d.objid = c.oid and d.deptype in ('a', 'i') and t.relname = $2)
     order by 1`,
    [schema, migrations],
  );
  const sequences: Schema['sequences'] = [];
  for (const { name } of rows) {
    const { rows: states } = await client.query<{ value: string; is_called: boolean }>(
      `select last_value::text as value, is_called from ${tableOf(schema, name)}`,
    );
    const [state] = states;
    if (state) sequences.push({ name, ...state });
  }
  return sequences;
}

/** The schemas of this product that the database has. */
export async function schemasThere(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'select nspname as name from pg_namespace where nspname = any($1::text[]) order by 1',
    [schemas.map(({ name }) => name)],
  );
  return rows.map(({ name }) => name);
}

export async function requireWhole(client: Client): Promise<void> {
  const there = await schemasThere(client);
  if (there.length === schemas.length) return;
  throw new Refusal(fr`Cette base ne contient pas les données de Vigie : est-ce la bonne ?`);
}
