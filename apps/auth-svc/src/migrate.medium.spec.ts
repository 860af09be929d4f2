import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addUser, type Person } from '@vigie/testing/people';
import { freePort } from '@vigie/testing/ports';
import { TestProduct } from '@vigie/testing/product';
import { until } from '@vigie/testing/until';

let product: TestProduct;
beforeAll(async () => {
  product = await TestProduct.start([], { VIGIE_ADMIN_PASSWORD: '', VIGIE_ADMIN_EMAIL: '' });
});
afterAll(() => product?.stop());

/** This service writes the first administrator’s password to a file. */
const add = (env = {}) => product.add('auth-svc', { VIGIE_HOME: product.home, ...env });

it('waits for its schema, which several migrations may create at once', async () => {
  const port = await freePort();
  const probe = (path: string) => fetch(`http://127.0.0.1:${port}${path}`).then(({ status }) => status);
  const starting = add({ VIGIE_PROBE_PORT: String(port) });
  await until(() => product.processesOf('auth-svc')[0]?.output.includes('waiting for the schema') ?? false);
  expect([await probe('/live'), await probe('/ready')]).toEqual([200, 503]);
  await Promise.all([product.migrate('auth-svc'), product.migrate('auth-svc'), product.migrate('auth-svc')]);
  await starting;
  expect([await probe('/live'), await probe('/ready')]).toEqual([200, 200]);
  const migrations = await product.database.query('select name from auth.migrations');
  const names = migrations.rows.map(({ name }) => String(name));
  expect(names).toContain('CreateUsersAndSessions1795250000000');
  expect(new Set(names).size).toBe(names.length);
});

it('changes nothing when it is run again', async () => {
  const count = () => product.database.query('select id, email from auth.users').then(({ rows }) => rows);
  const before = await count();
  await product.migrate('auth-svc');
  expect([before.length, await count()]).toEqual([1, before]);
});

it('starts once the database answers, even when its first query waits longer than a query may take', async () => {
  // The lock that guards the creation of the first user.
  await product.database.query('select pg_advisory_lock(7316002)');
  const starting = add();
  const isWaiting = () => product.processesOf('auth-svc').at(-1)?.output.includes('waiting for the database') ?? false;
  await Promise.race([until(isWaiting), starting]);
  await product.database.query('select pg_advisory_unlock(7316002)');
  await starting;
  expect(isWaiting()).toBe(true);
});

it('gives the service its rights on a table as soon as a migration creates it', async () => {
  await product.database.query('create table auth.made (at serial)');
  const { rows } = await product.database.query(
    `select has_table_privilege(role, 'auth.made', 'insert') as is_own,
       has_sequence_privilege(role, 'auth.made_at_seq', 'usage') as has_next
     from (select current_database() || '_auth' as role) r`,
  );
  expect(rows).toEqual([{ is_own: true, has_next: true }]);
});

it('writes the first administrator’s password to a file, removed when the password changes or the account is deleted', async () => {
  await product.add('gateway');
  const file = join(product.home, 'first-admin.json');
  const first = JSON.parse(readFileSync(file, 'utf8')) as Person;
  const token = await product.login(first);
  const newPassword = 'tout autre chose';
  const body = { current_password: first.password, new_password: newPassword, confirm_password: newPassword };
  expect((await product.request('POST', '/api/auth/change_password', { token, body })).status).toBe(200);
  expect(existsSync(file)).toBe(false);
  writeFileSync(file, JSON.stringify(first));
  const next = await addUser(product, token, 'admin');
  const { body: me } = await product.request('GET', '/api/auth/me', { token });
  const deleted = await product.request('DELETE', `/api/admin/users/${String(me['id'])}`, { token: next.token });
  expect([deleted.status, existsSync(file)]).toEqual([204, false]);
});
