import { Client, escapeIdentifier, escapeLiteral } from 'pg';
import type { Caller } from '@vigie/contracts/contract';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { type Database, dataSourceOptions, roleOf } from './database';
import { baseEnv, databaseEnv, loadEnv, refuseToStart } from './env';
import { loadKeys } from './keys';

/** A migration holds this lock alone; other work shares it to prevent a migration. */
export const migrationLock = 7_316_001;

/**
 * Brings one schema up to date with the rights of `url`: role, schema, migrations, grants. Runs under an advisory lock,
 * so that any number of replicas may call it at once.
 */
async function migrate(url: string, database: Database, rolePassword: string): Promise<void> {
  await withMigrationLock(url, async (client) => {
    const role = escapeIdentifier(roleOf(url, database.schema));
    const schema = escapeIdentifier(database.schema);
    // Checked before the role may log in, because a restore keeps it out.
    await refuseUnfinishedRestore(client, database.schema);
    await prepareRole(client, roleOf(url, database.schema), rolePassword);
    await client.query(`create schema if not exists ${schema}`);
    // Running services write through new triggers into new tables as soon as these exist.
    const grantByDefault = `alter default privileges in schema ${schema} grant`;
    await client.query(`${grantByDefault} select, insert, update, delete on tables to ${role}`);
    await client.query(`${grantByDefault} usage on sequences to ${role}`);
    await runMigrations(url, database, 'migrations');
    await client.query(`revoke all on schema ${schema} from public`);
    await client.query(`grant usage on schema ${schema} to ${role}`);
    await client.query(`grant select, insert, update, delete on all tables in schema ${schema} to ${role}`);
    await client.query(`grant usage on all sequences in schema ${schema} to ${role}`);
    await client.query(`revoke insert, update, delete on ${schema}.migrations from ${role}`);
    for (const table of database.appendOnly ?? []) {
      await client.query(`revoke update, delete on ${schema}.${escapeIdentifier(table)} from ${role}`);
    }
  });
}

async function withMigrationLock(url: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    await work(client);
  } finally {
    await client.end();
  }
}

/** Table of migrations during a restore: neither the migrate step nor a service accepts such a schema. */
export const restoredMigrations = 'migrations_of_restore';

/** Name of the schema that a restore is about to replace. */
export const previousSchemaOf = (schema: string) => `${schema}_before_restore`;

async function refuseUnfinishedRestore(client: Client, schema: string): Promise<void> {
  const { rows } = await client.query<{ is_unfinished: boolean }>(
    'select coalesce(to_regclass($1)::text, to_regnamespace($2)::text) is not null as is_unfinished',
    [`${escapeIdentifier(schema)}.${restoredMigrations}`, previousSchemaOf(schema)],
  );
  if (rows[0]?.is_unfinished)
    refuseToStart([`the restore of the schema ${schema} did not come to its end: run \`npm run restore\` again`]);
}

/** Runs the migrations that this release has beyond an archive. Refuses a schema that is not being restored. */
async function runLaterMigrations(url: string, database: Database): Promise<void> {
  await withMigrationLock(url, async (client) => {
    const { rows } = await client.query<{ is_there: boolean }>('select to_regclass($1) is not null as is_there', [
      `${escapeIdentifier(database.schema)}.${restoredMigrations}`,
    ]);
    if (!rows[0]?.is_there) throw new Error(`no restore of the schema ${database.schema} is under way`);
    await runMigrations(url, database, restoredMigrations);
  });
}

async function createRestoredSchema(url: string, database: Database, names: readonly string[]): Promise<void> {
  const migrations = database.migrations.filter(({ name }) => names.includes(name));
  const unknown = names.filter((name) => migrations.every((migration) => migration.name !== name));
  if (unknown.length > 0) refuseToStart([`this release does not know the migrations ${unknown.join(', ')}`]);
  await withMigrationLock(url, async (client) => {
    await client.query(`create schema ${escapeIdentifier(database.schema)}`);
    await runMigrations(url, { ...database, migrations }, restoredMigrations);
  });
}

/** Value by which `npm run restore` asks for the remaining migrations once the archive’s rows are back. */
export const laterMigrations = 'later';

export async function migrateFromEnv(app: Caller, database: Database): Promise<void> {
  const env = loadEnv(
    z.object({
      ...databaseEnv,
      VIGIE_KEYS_FILE: baseEnv.VIGIE_KEYS_FILE,
      /** Set by `npm run restore` only: the archive’s migrations for a new schema, then `later` for the others. */
      VIGIE_RESTORED_MIGRATIONS: z.string().optional(),
    }),
  );
  const { DATABASE_URL: url, VIGIE_RESTORED_MIGRATIONS: names } = env;
  try {
    if (names === laterMigrations) await runLaterMigrations(url, database);
    else if (names !== undefined) await createRestoredSchema(url, database, names.split(','));
    else await migrate(url, database, loadKeys(env.VIGIE_KEYS_FILE, app).database_password);
  } catch (error) {
    fail(error);
  }
}

/** Node would print the line that threw, and a bundled library is one line. */
function fail(error: unknown): never {
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  process.stderr.write(`${[message, ...frames].join('\n')}\n`);
  process.exit(1);
}

async function prepareRole(client: Client, name: string, password: string): Promise<void> {
  const existing = await client.query('select 1 from pg_roles where rolname = $1', [name]);
  const verb = existing.rowCount === 0 ? 'create' : 'alter';
  await client.query(`${verb} role ${escapeIdentifier(name)} login password ${escapeLiteral(password)}`);
}

/** A migration that fills or rebuilds a large table takes its time. */
const maxMigrationMs = 3_600_000;

async function runMigrations(url: string, database: Database, migrationsTableName: string): Promise<void> {
  const { extra, ...options } = dataSourceOptions(url, database);
  const source = new DataSource({
    ...options,
    extra: { ...extra, query_timeout: maxMigrationMs, statement_timeout: maxMigrationMs },
    migrationsTableName,
    migrationsTransactionMode: 'each',
  });
  await source.initialize();
  try {
    await source.runMigrations();
  } finally {
    await source.destroy();
  }
}
