import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { CountedDatabase } from '@vigie/testing/counted-database';
import { TestProduct } from '@vigie/testing/product';
import { seedFleet } from '@vigie/testing/seed';

let product: TestProduct;
let counted: CountedDatabase;
let root: string;

beforeAll(async () => {
  product = await TestProduct.start(['gateway', 'auth-svc']);
  await product.migrate('sites-svc');
  counted = await CountedDatabase.to(product.envOf('sites-svc')['DATABASE_URL'] ?? '');
  await product.add('sites-svc', { DATABASE_URL: counted.url });
  root = await product.login();
});
afterAll(async () => {
  await product?.stop();
  await counted?.stop();
});

const paths = [
  '/api/sites?limit=50',
  '/api/sites?limit=50&offset=50&sort=-updates',
  '/api/sites?limit=5&status=error&sort=status',
  '/api/sites?limit=50&q=mus%C3%A9e',
  '/api/servers?limit=50',
  '/api/groups',
];

/** How many statements each list takes, and how large it is. Now and then a timer of the service asks something too. */
async function measure() {
  const measured = [];
  for (const path of paths) {
    const runs = [];
    for (let run = 0; run < 8; run += 1) {
      const before = counted.statements;
      const { status, text } = await product.request('GET', path, { token: root });
      runs.push({ statements: counted.statements - before, bytes: Buffer.byteLength(text), status });
    }
    measured.push({ path, ...runs.toSorted((a, b) => a.statements - b.statements)[0] });
  }
  return measured;
}

it('lists ten thousand sites with the statements that a thousand take, in less than 100 kB a page', async () => {
  const { rows } = await product.database.query<{ id: string }>('select id from auth.users');
  const seed = (sites: number, servers: number) =>
    seedFleet((sql, values) => product.database.query(sql, values), rows[0]?.id ?? '', {
      sites,
      servers,
      plugins: 3,
      groups: 20,
    });
  await seed(1_000, 100);
  const small = await measure();
  await seed(9_000, 900);
  const large = await measure();
  const most = new Map(small.map(({ path, statements = 0 }) => [path, statements]));
  expect(large.filter(({ path, statements = 0 }) => statements > (most.get(path) ?? 0))).toEqual([]);
  expect(large.filter(({ bytes = 0, status }) => status !== 200 || bytes > 100_000)).toEqual([]);
  expect(Math.max(...large.map(({ statements = 0 }) => statements))).toBeLessThanOrEqual(6);
  const whole = await product.request('GET', '/api/sites', { token: root });
  expect([whole.headers.get('x-total-count'), (whole.body as unknown as unknown[]).length]).toEqual(['10000', 10_000]);
});
