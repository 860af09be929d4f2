import { type Client, escapeIdentifier } from 'pg';
import { databaseServices } from '../start/services';
import { Refusal, fr } from '../terminal';
import type { Schema } from './format';

export const schemas = databaseServices.map((service) => ({ service, name: service.replace(/-svc$/, '') }));

/** TypeORM's table of migrations. The manifest lists its rows, and the migrations of a restore create it again. */
export const migrationsTable = 'migrations';

export const tableOf = (schema: string, table: string) => `${escapeIdentifier(schema)}.${escapeIdentifier(table)}`;

/** Sets the formats in which values are written and read, whatever the server's defaults. */
export async function setPortableFormats(client: Client): Promise<void> {
  await client.query("set client_encoding to 'UTF8'; set datestyle to 'ISO, MDY'; set timezone to 'UTC'");
  await client.query("set intervalstyle to 'postgres'; set extra_float_digits to 3; set statement_timeout to 0");
  // Files are copied after rows, in the same transaction, and may take hours.
  await client.query('set idle_in_transaction_session_timeout to 0; set lock_timeout to 0');
}

/** Describes the tables and sequences of a schema that a backup copies. */
export async function readSchema(client: Client, name: string, migrations = migrationsTable): Promise<Schema> {
  const migrationRows = await client.query<{ name: string }>(
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
    migrations: migrationRows.rows.map((row) => row.name),
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

export async function findSchemas(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'select nspname as name from pg_namespace where nspname = any($1::text[]) order by 1',
    [schemas.map(({ name }) => name)],
  );
  return rows.map(({ name }) => name);
}

export async function requireAllSchemas(client: Client): Promise<void> {
  const existing = await findSchemas(client);
  if (existing.length === schemas.length) return;
  throw new Refusal(fr`Cette base ne contient pas les données de Vigie : est-ce la bonne ?`);
}
