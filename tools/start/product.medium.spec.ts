import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '@vigie/testing/database';
import { testServers } from '@vigie/testing/servers';
import { testFolder } from '@vigie/testing/test-folder';
import { until } from '@vigie/testing/until';
import { Lifecycle } from './lifecycle';
import { startProduct } from './product';

let home: string;
let database: TestDatabase;
beforeEach(async () => {
  home = testFolder('product');
  database = await createDatabase();
});
afterEach(async () => {
  await database.drop();
});

const hasKeys = () => existsSync(join(home, 'keys'));

/** Runs a start until it has keys. */
async function startUpToKeys(): Promise<void> {
  const life = new Lifecycle();
  const { redisUrl: REDIS_URL, natsUrl: NATS_URL } = testServers();
  const addresses = { DATABASE_URL: database.url, REDIS_URL, NATS_URL };
  const settings = { home, host: '127.0.0.1', port: 0, metricsPort: undefined, publicUrl: undefined, env: {} };
  await startProduct(life, { ...settings, addresses }, async () => {
    await until(() => life.signal.aborted || hasKeys());
    throw new Error('there are keys by now');
  });
}

it('creates keys for an empty database', async () => {
  await expect(startUpToKeys()).rejects.toThrow('there are keys by now');
});

it('creates no keys for a database in use, and says which files to restore', async () => {
  await database.query('create schema sites');
  await expect(startUpToKeys()).rejects.toThrow(/contient déjà une Vigie.*gateway\.json.*npm run restore/s);
  expect(hasKeys()).toBe(false);
});
