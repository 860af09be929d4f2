import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { checkAgent, checkAuth, checkDns, checkSites } from '@vigie/contracts/health';
import { connectBus, type TestBus } from '@vigie/testing/bus';
import { admin, TestProduct } from '@vigie/testing/product';
import { until } from '@vigie/testing/until';

const services = ['auth-svc', 'sites-svc', 'ssh-agent', 'dns-svc'] as const;
let product: TestProduct;
let bus: TestBus;
beforeAll(async () => {
  product = await TestProduct.start(['gateway', 'gateway', ...services, ...services]);
  bus = await connectBus(product.keys.gateway);
});
afterAll(async () => {
  await bus?.close();
  await product?.stop();
});

it.each([checkAuth, checkSites, checkAgent, checkDns])(
  'shares the calls of $name between two replicas',
  async (contract) => {
    // A probe gives up early, so that a dead service is found soon; this is no question of speed.
    const patient = { ...contract, timeoutMs: 10_000 };
    const answers = await Promise.all(Array.from({ length: 40 }, () => bus.call(patient, {})));
    expect(new Set(answers.map(({ instance }) => instance)).size).toBe(2);
  },
);

it('creates one first administrator, whichever replica was first', async () => {
  const { rows } = await product.database.query('select role from auth.users');
  expect(rows).toEqual([{ role: 'admin' }]);
});

it('knows a session on every gateway, and forgets it on every gateway within 5 s of a logout', async () => {
  const token = await product.login();
  const me = (at: number) => product.request('GET', '/api/auth/me', { token, at }).then(({ status }) => status);
  expect([await me(0), await me(1)]).toEqual([200, 200]);
  expect((await product.request('POST', '/api/auth/logout', { token })).status).toBe(200);
  expect(await me(0)).toBe(401);
  const since = Date.now();
  while ((await me(1)) !== 401) expect(Date.now() - since).toBeLessThan(5_000);
});

it('loses no call while one of two replicas is killed and replaced', async () => {
  const token = await product.login();
  const [first] = product.of('auth-svc');
  await first?.kill('SIGKILL');
  const statuses = [];
  for (let n = 0; n < 50; n += 1) statuses.push((await product.request('GET', '/api/auth/me', { token })).status);
  expect(new Set(statuses)).toEqual(new Set([200]));
  await product.add('auth-svc');
});

it('answers 503 at once while a service is away, and serves again when it is back', async () => {
  const token = await product.login();
  await Promise.all(product.of('auth-svc').map((process) => process.kill('SIGKILL')));
  const answer = await product.request('POST', '/api/auth/login', { body: { email: 'a@b', password: 'x' } });
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBe('2');
  // Decided by the bus, which knows that nobody listens, and not by a deadline.
  await until(() => product.of('gateway')[0]?.output.includes('NoResponders') ?? false);
  await product.add('auth-svc');
  expect((await product.request('GET', '/api/auth/me', { token })).status).toBe(200);
});

it('ends the calls that a killed service had begun, without waiting for their deadline', async () => {
  const logins = Array.from({ length: 12 }, () => product.request('POST', '/api/auth/login', { body: admin }));
  await Promise.race(logins);
  await Promise.all(product.of('auth-svc').map((process) => process.kill('SIGKILL')));
  const statuses = new Set((await Promise.all(logins)).map(({ status }) => status));
  expect(statuses).toEqual(new Set([200, 503]));
  expect(product.of('gateway')[0]?.output).not.toContain('TimeoutError');
  await product.add('auth-svc');
});

it('stops on SIGTERM after the calls it has begun', async () => {
  const running = product.of('auth-svc').at(-1);
  const logins = Array.from({ length: 12 }, () => product.login());
  // Hashing is capped, so when the first is through the others wait inside the service.
  await Promise.race(logins);
  await running?.kill('SIGTERM');
  expect(await Promise.all(logins)).toHaveLength(12);
  expect(await running?.exit()).toBe(0);
});

it('does not outlive its starter', async () => {
  const [gateway] = product.of('gateway');
  gateway?.orphan();
  expect(await gateway?.exit()).toBe(0);
});
