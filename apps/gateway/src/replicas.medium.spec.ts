import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkAgent, checkAuth, checkDns, checkSites } from '@vigie/contracts/health';
import { connectBus, type TestBus } from '@vigie/testing/bus';
import { admin, TestProduct } from '@vigie/testing/product';
import { TestQueues } from '@vigie/testing/queues';
import { until } from '@vigie/testing/until';
import { aPlugin } from '@vigie/testing/zip';

/** Longer than a process that is told to stop waits by default. */
const pastStopMs = 6_500;
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

/** Uploads an archive to a gateway that is told to stop meanwhile, for longer than its default patience. */
async function sendPastStop(): Promise<{ status: number; code: number | null }> {
  const gateway = await product.add('gateway', { VIGIE_STOP_SECONDS: '60' });
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(aPlugin())]), 'lent.zip');
  const encoded = new Response(form);
  const [type, body] = [encoded.headers.get('content-type') ?? '', Buffer.from(await encoded.arrayBuffer())];
  const sent = httpRequest(`${product.gateways.at(-1)}/api/uploads/plugins`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await product.login()}`, 'content-type': type, 'content-length': body.length },
  });
  const answered = once(sent, 'response');
  sent.write(body.subarray(0, 200));
  await until(async () => (await readdir(join(product.home, 'store/incoming'))).length > 0);
  const ended = gateway.kill('SIGTERM');
  await wait(pastStopMs);
  sent.end(body.subarray(200));
  const [{ statusCode: status }] = await answered;
  await ended;
  return { status, code: await gateway.exit() };
}

it.each([checkAuth, checkSites, checkAgent, checkDns])(
  'shares the calls of $name between two replicas',
  async (contract) => {
    // A probe gives up early to find a dead service soon; this test does not depend on speed.
    const patient = { ...contract, timeoutMs: 10_000 };
    const answers = await Promise.all(Array.from({ length: 40 }, () => bus.call(patient, {})));
    expect(new Set(answers.map(({ instance }) => instance)).size).toBe(2);
  },
);

it('consumes each queue once in each agent', async () => {
  const queues = new TestQueues(product);
  const count = () =>
    Promise.all(['site-ops', 'site-transfers', 'site-commands', 'sweeps'].map((name) => queues.waitingWorkers(name)));
  // The consumers may connect a moment after their agent is ready.
  await until(async () => (await count()).every((takers) => takers >= 2));
  expect(await count()).toEqual([2, 2, 2, 2]);
  queues.stop();
});

it('creates one first administrator, whichever replica was first', async () => {
  const { rows } = await product.database.query('select role from auth.users');
  expect(rows).toEqual([{ role: 'admin' }]);
});

it('accepts a session on every gateway, and refuses it on every gateway within 5 s of a logout', async () => {
  const token = await product.login();
  const me = (at: number) => product.request('GET', '/api/auth/me', { token, at }).then(({ status }) => status);
  expect([await me(0), await me(1)]).toEqual([200, 200]);
  expect((await product.request('POST', '/api/auth/logout', { token })).status).toBe(200);
  expect(await me(0)).toBe(401);
  const since = Date.now();
  // Twice as long as promised, for a busy machine.
  while ((await me(1)) !== 401) expect(Date.now() - since).toBeLessThan(10_000);
});

it('loses no call while one of two replicas is killed and replaced', async () => {
  const token = await product.login();
  const [first] = product.processesOf('auth-svc');
  await first?.kill('SIGKILL');
  const statuses = [];
  for (let n = 0; n < 50; n += 1) statuses.push((await product.request('GET', '/api/auth/me', { token })).status);
  expect(new Set(statuses)).toEqual(new Set([200]));
  await product.add('auth-svc');
});

it('answers 503 at once while a service is away, and serves again when it is back', async () => {
  const token = await product.login();
  await Promise.all(product.processesOf('auth-svc').map((process) => process.kill('SIGKILL')));
  const printed = () => product.processesOf('gateway')[0]?.output ?? '';
  const before = printed().length;
  // The bus answers as soon as it has noticed that no service listens, without a deadline.
  await until(async () => {
    const answer = await product.request('POST', '/api/auth/login', { body: { email: 'a@b', password: 'x' } });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
    return printed().includes('NoResponders', before);
  });
  await product.add('auth-svc');
  expect((await product.request('GET', '/api/auth/me', { token })).status).toBe(200);
});

it('ends the calls of a killed service without waiting for their deadline', async () => {
  const printed = () => product.processesOf('gateway')[0]?.output ?? '';
  const before = printed().length;
  const logins = Array.from({ length: 12 }, () => product.request('POST', '/api/auth/login', { body: admin }));
  await Promise.race(logins);
  await Promise.all(product.processesOf('auth-svc').map((process) => process.kill('SIGKILL')));
  const statuses = new Set((await Promise.all(logins)).map(({ status }) => status));
  expect(statuses).toEqual(new Set([200, 503]));
  expect(printed().slice(before)).not.toContain('TimeoutError');
  await product.add('auth-svc');
});

it('lets an upload finish during a shutdown, for as long as configured', async () => {
  expect(await sendPastStop()).toEqual({ status: 201, code: 0 });
});

describe('the requests of an address or token', () => {
  const limited: number[] = [];
  beforeAll(async () => {
    const env = { VIGIE_REQUESTS_PER_MINUTE: '60', VIGIE_TRUSTED_HOPS: '1' };
    for (let n = 0; n < 2; n += 1) {
      await product.add('gateway', env);
      limited.push(product.gateways.length - 1);
    }
  });
  const ask = (address: string, at = limited[0] ?? 0, path = '/api/nothing') =>
    product.request('GET', path, { at, headers: { 'x-forwarded-for': address } });
  const statusOf = async (address: string, at?: number) => (await ask(address, at)).status;

  it('are limited over all gateways, and refused with the time to wait', async () => {
    for (let n = 0; n < 60; n += 1) expect(await statusOf('192.0.2.1')).toBe(404);
    const refused = await ask('192.0.2.1');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    // The other gateway learns the count as soon as it shares a request of its own.
    await until(async () => (await statusOf('192.0.2.1', limited[1])) === 429);
    // A probe is never refused: a flood must not make the product look dead.
    expect((await ask('192.0.2.1', limited[0], '/api/health/live')).status).toBe(200);
  });

  it('are counted per IPv6 network', async () => {
    for (let n = 0; n < 60; n += 1) expect(await statusOf(`2001:db8:1:2::${n}`)).toBe(404);
    expect([await statusOf('2001:db8:1:2:ffff::1'), await statusOf('2001:db8:1:3::1')]).toEqual([429, 404]);
  });

  it('are counted for each token', async () => {
    const session = await product.login();
    const makeToken = async () => {
      const body = { name: 'n', scopes: ['read'], expires_at: new Date(Date.now() + 3_600_000).toISOString() };
      return String((await product.request('POST', '/api/tokens', { token: session, body })).body['token']);
    };
    const [one, two] = [await makeToken(), await makeToken()];
    let sent = 0;
    const statusWith = async (token: string) => {
      const headers = { 'x-forwarded-for': `198.51.100.${(sent += 1)}` };
      return (await product.request('GET', '/api/auth/me', { at: limited[0] ?? 0, token, headers })).status;
    };
    for (let n = 0; n < 60; n += 1) expect(await statusWith(one)).toBe(200);
    expect([await statusWith(one), await statusWith(two)]).toEqual([429, 200]);
  });
});

it('stops on SIGTERM after the calls it has started', async () => {
  const running = product.processesOf('auth-svc').at(-1);
  const logins = Array.from({ length: 12 }, () => product.login());
  // Hashing is limited, so when the first is done the others wait inside the service.
  await Promise.race(logins);
  await running?.kill('SIGTERM');
  expect(await Promise.all(logins)).toHaveLength(12);
  expect(await running?.exit()).toBe(0);
});

it('does not outlive the process that started it', async () => {
  const [gateway] = product.processesOf('gateway');
  gateway?.disconnectStarter();
  expect(await gateway?.exit()).toBe(0);
});
