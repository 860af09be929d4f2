import { Client, escapeIdentifier, escapeLiteral } from 'pg';
import type { Caller } from '@vigie/contracts/contract';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { type Database, dataSourceOptions, roleOf } from './database';
import { baseEnv, databaseEnv, loadEnv } from './env';
import { loadKeys } from './keys';

const advisoryLock = 7_316_001;

/**
 * Brings one schema up to date with the rights of `url`: its role, the schema, the migrations, the grants. Runs under an
 * advisory lock, so any number of replicas may ask at once.
 */
async function migrate(url: string, database: Database, rolePassword: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [advisoryLock]);
    const role = escapeIdentifier(roleOf(url, database.schema));
    const schema = escapeIdentifier(database.schema);
    await prepareRole(client, roleOf(url, database.schema), rolePassword);
    await client.query(`create schema if not exists ${schema}`);
    await runMigrations(url, database);
    await client.query(`revoke all on schema ${schema} from public`);
    await client.query(`grant usage on schema ${schema} to ${role}`);
    await client.query(`grant select, insert, update, delete on all tables in schema ${schema} to ${role}`);
    await client.query(`grant usage on all sequences in schema ${schema} to ${role}`);
    await client.query(`revoke insert, update, delete on ${schema}.migrations from ${role}`);
    for (const table of database.appendOnly ?? []) {
      await client.query(`revoke update, delete on ${schema}.${escapeIdentifier(table)} from ${role}`);
    }
  } finally {
    await client.end();
  }
}

/** The whole of a service's migrate step. */
export async function migrateFromEnv(app: Caller, database: Database): Promise<void> {
  const env = loadEnv(z.object({ ...databaseEnv, VIGIE_KEYS_FILE: baseEnv.VIGIE_KEYS_FILE }));
  await migrate(env.DATABASE_URL, database, loadKeys(env.VIGIE_KEYS_FILE, app).database_password);
}

async function prepareRole(client: Client, name: string, password: string): Promise<void> {
  const known = await client.query('select 1 from pg_roles where rolname = $1', [name]);
  const verb = known.rowCount === 0 ? 'create' : 'alter';
  await client.query(`${verb} role ${escapeIdentifier(name)} login password ${escapeLiteral(password)}`);
}

/** What fills or rebuilds a large table takes as long as it takes. */
const patienceMs = 3_600_000;

async function runMigrations(url: string, database: Database): Promise<void> {
  const { extra, ...options } = dataSourceOptions(url, database);
  const source = new DataSource({
    ...options,
    extra: { ...extra, query_timeout: patienceMs },
    migrationsTransactionMode: 'each',
  });
  await source.initialize();
  try {
    await source.runMigrations();
  } finally {
    await source.destroy();
  }
}
