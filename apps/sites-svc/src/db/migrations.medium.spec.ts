import { afterAll, beforeAll, expect, it } from 'vitest';
import { dataSourceOptions } from '@vigie/service-kit/database';
import { createDatabase, type TestDatabase } from '@vigie/testing/database';
import { until } from '@vigie/testing/until';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { database } from './database';

/** The previous release keeps running during these migrations. */
const first = database.migrations.findIndex(({ name }) => name.startsWith('CountPlugins'));

let testDatabase: TestDatabase;
const opened: Client[] = [];
beforeAll(async () => {
  testDatabase = await createDatabase();
  await testDatabase.query('create schema sites');
  await migrate(first);
  // Earlier releases let a retry repeat work that is under way.
  await testDatabase.query(
    `insert into sites.jobs (id, kind, owner_id, actor_id, site_id, queue, lane, is_exclusive, is_heavy, input)
     select gen_random_uuid(), 'backups.create', id, id, id, 'site-transfers', '', true, false, '{}'
     from gen_random_uuid() id, generate_series(1, 2)`,
  );
});
afterAll(async () => {
  for (const client of opened) await client.end();
  await testDatabase?.drop();
});

async function migrate(to: number): Promise<void> {
  const migrations = database.migrations.slice(0, to);
  const source = new DataSource({
    ...dataSourceOptions(testDatabase.url, { ...database, migrations }),
    migrationsTransactionMode: 'each',
  });
  await source.initialize();
  try {
    await source.runMigrations();
  } finally {
    await source.destroy();
  }
}

/** Opens a transaction that has written to a table. */
async function beginWriting(table: string): Promise<Client> {
  const client = new Client({ connectionString: testDatabase.url, options: '-c search_path=sites' });
  opened.push(client);
  await client.connect();
  await client.query('begin');
  await client.query(`lock table ${table} in row exclusive mode`);
  return client;
}

const isWaitedFor = async (table: string) => {
  const { rows } = await testDatabase.query(
    'select from pg_locks where not granted and database is not null and relation = $1::regclass',
    [`sites.${table}`],
  );
  return rows.length > 0;
};

it('run while services write, in whatever order these lock their tables', async () => {
  const servers = await beginWriting('servers');
  const activity = await beginWriting('activity');
  const jobs = await beginWriting('jobs');
  let sites = await beginWriting('sites');
  let outcome: string | undefined;
  void migrate(database.migrations.length)
    .then(() => 'made', String)
    .then((text) => (outcome = text));
  const isStopped = async (table: string) => outcome !== undefined || (await isWaitedFor(table));
  const goOn = async (writer: Client, table: string, ...others: string[]) => {
    await until(() => isStopped(table));
    for (const other of others) await writer.query(`lock table ${other} in row exclusive mode`);
    await writer.query('commit');
  };
  await goOn(sites, 'sites', 'site_extensions', 'site_licences', 'activity', 'jobs');
  await until(() => isStopped('servers'));
  const groups = await beginWriting('groups');
  sites = await beginWriting('sites');
  await goOn(servers, 'servers', 'sites', 'activity', 'jobs');
  await goOn(activity, 'activity', 'servers', 'jobs', 'site_licences');
  await goOn(jobs, 'jobs', 'activity', 'servers', 'sites');
  await goOn(sites, 'sites', 'servers', 'groups');
  await goOn(groups, 'groups', 'servers', 'sites');
  await until(() => outcome !== undefined);
  expect(outcome).toBe('made');
});
