import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '@vigie/testing/database';
import { until } from '@vigie/testing/until';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from './database';

let database: TestDatabase;
let source: DataSource;
beforeAll(async () => {
  database = await createDatabase();
  source = new DataSource(dataSourceOptions(database.url, { schema: 'public', entities: [], migrations: [] }));
  await source.initialize();
});
afterAll(async () => {
  await source?.destroy();
  await database?.drop();
});

it('makes the database drop dead clients soon', async () => {
  const rows: { name: string; setting: string }[] = await source.query(
    "select name, setting from pg_settings where name in ('idle_in_transaction_session_timeout', 'tcp_keepalives_idle') order by 1",
  );
  expect(rows).toEqual([
    { name: 'idle_in_transaction_session_timeout', setting: '15000' },
    { name: 'tcp_keepalives_idle', setting: '15' },
  ]);
});

it('cancels a query that nobody waits for', async () => {
  await expect(source.query('select pg_sleep(60)')).rejects.toThrow('Query read timeout');
  const isAsleep = async () =>
    (await database.query("select 1 from pg_stat_activity where query = 'select pg_sleep(60)'")).rows.length > 0;
  await until(async () => !(await isAsleep()));
});

it('prefers indexes, and compiles no query', async () => {
  const settings = "select current_setting('jit') as jit, current_setting('random_page_cost') as seek";
  expect(await source.query(settings)).toEqual([{ jit: 'off', seek: '1.1' }]);
});

it('survives a transaction that the database aborted', async () => {
  const runner = source.createQueryRunner();
  await runner.startTransaction();
  await runner.query('select pg_advisory_xact_lock(7)');
  const isFree = async () => {
    const { rows } = await database.query('select pg_try_advisory_xact_lock(7) as is_free');
    return (rows as { is_free: boolean }[])[0]?.is_free ?? false;
  };
  expect(await isFree()).toBe(false);
  await runner.query("set local idle_in_transaction_session_timeout = '50ms'");
  await until(isFree);
  await expect(runner.query('select 1')).rejects.toThrow();
  await runner.release();
  expect(await source.query('select 1 as one')).toEqual([{ one: 1 }]);
});
