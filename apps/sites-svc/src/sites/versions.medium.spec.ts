import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '@vigie/testing/database';
import { isVersion, newestFirst } from './versions';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
  await database.query("create collation french (provider = icu, locale = 'fr-u-kn-true')");
});
afterAll(() => database?.drop());

it.each([
  [['6.0-beta1', '5.9.10', '6.0'], '6.0'],
  [['9.1', 'dev-main', '10.0', 'v3'], '10.0'],
  [['1.0-rc1', '20240101', '0.9'], '20240101'],
  [['1.0-rc1', '1.0-rc10', '1.0-rc2', '0.9'], '1.0-rc10'],
  [['dev-main', 'trunk', ''], undefined],
])('the newest of %j is %s', async (versions, newest) => {
  const { rows } = await database.query<{ v: string }>(
    `select v from unnest($1::text[]) v where ${isVersion('v')} order by ${newestFirst('v')}`,
    [versions],
  );
  expect(rows[0]?.v).toBe(newest);
});
