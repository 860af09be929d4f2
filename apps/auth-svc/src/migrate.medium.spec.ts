import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { TestProduct } from '@vigie/testing/product';
import { until } from '@vigie/testing/until';

let product: TestProduct;
beforeAll(async () => {
  product = await TestProduct.start([]);
});
afterAll(() => product?.stop());

it('waits for a schema that is not there yet, which any number of migrations may bring at once', async () => {
  const starting = product.add('auth-svc');
  await until(() => product.of('auth-svc')[0]?.output.includes('waiting for the schema') ?? false);
  await Promise.all([product.migrate('auth-svc'), product.migrate('auth-svc'), product.migrate('auth-svc')]);
  await starting;
  const done = await product.database.query('select name from auth.migrations');
  const names = done.rows.map(({ name }) => String(name));
  expect(names).toContain('CreateUsersAndSessions1795250000000');
  expect(new Set(names).size).toBe(names.length);
});

it('changes nothing when it is run again', async () => {
  const count = () => product.database.query('select id, email from auth.users').then(({ rows }) => rows);
  const before = await count();
  await product.migrate('auth-svc');
  expect([before.length, await count()]).toEqual([1, before]);
});
