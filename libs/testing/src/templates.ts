import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Caller } from '@vigie/contracts/contract';
import { Client } from 'pg';
import { distFile, TestProcess } from './processes';
import { testServers } from './servers';

/** Advisory lock of the process that creates a template. */
const lock = 7_316_002;

/**
 * Returns a template database with the schemas of these apps. It is created once per server by the apps' own migrations,
 * which need not run again for every test product.
 */
export async function migratedDatabase(apps: readonly Caller[], keysOf: (app: Caller) => string): Promise<string> {
  const steps = apps.map((app) => readFileSync(distFile(`${app}/migrate.js`), 'utf8'));
  const name = `vigie_migrated_${createHash('sha256').update(steps.join('\0')).digest('hex').slice(0, 12)}`;
  const client = new Client({ connectionString: testServers().databaseUrl });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [lock]);
    const existing = await client.query('select 1 from pg_database where datname = $1 and datistemplate', [name]);
    if (existing.rowCount === 0) {
      await client.query(`drop database if exists ${name} with (force)`);
      await client.query(`create database ${name}`);
      for (const app of apps) await migrate(app, keysOf(app), urlOf(name));
      await client.query(`alter database ${name} is_template true`);
    }
    return name;
  } finally {
    await client.end();
  }
}

export async function migrate(
  app: Caller,
  keys: string,
  url: string,
  extraEnv: Record<string, string> = {},
): Promise<void> {
  const env = { VIGIE_KEYS_FILE: keys, DATABASE_URL: url, ...extraEnv };
  const migration = TestProcess.start(`${app}/migrate.js`, env, dirname(keys));
  if ((await migration.exit()) !== 0) throw new Error(migration.output);
}

export function urlOf(database: string): string {
  const url = new URL(testServers().databaseUrl);
  url.pathname = `/${database}`;
  return url.toString();
}
