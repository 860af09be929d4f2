import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { claimJob, finishJob, noteJob, releaseJob, renewJobs } from '@vigie/contracts/jobs';
import { connectBus, type TestBus } from '@vigie/testing/bus';
import { addServer } from '@vigie/testing/hosts';
import { addUser } from '@vigie/testing/people';
import { TestProduct } from '@vigie/testing/product';
import { until } from '@vigie/testing/until';

let product: TestProduct;
let agent: TestBus;
let root: string;
let server: { id: string; owner: string };
beforeAll(async () => {
  product = await TestProduct.start(['gateway', 'auth-svc', 'sites-svc', 'ssh-agent']);
  root = await product.login();
  const { id } = await addServer(product, root, { name: 'web', host: '10.0.0.9', auth: { password: 'x' } });
  const [row] = await rows<{ owner_id: string }>('select owner_id from sites.servers');
  server = { id, owner: row?.owner_id ?? '' };
  // From here on the agent is this test.
  await product.of('ssh-agent')[0]?.kill('SIGKILL');
  agent = await connectBus(product.keys['ssh-agent']);
});
afterAll(async () => {
  await agent?.close();
  await product?.stop();
});
beforeEach(() => product.database.query('truncate sites.jobs cascade'));

const rows = async <T>(sql: string, values: unknown[] = []) => (await product.database.query(sql, values)).rows as T[];
type Fields = Partial<{ lane: string; site: string; isExclusive: boolean; isHeavy: boolean; batch: string; n: number }>;

/** Jobs as a feature would order them. */
async function order({ lane = '10.0.0.9:22', site, isExclusive = false, isHeavy = false, batch, n = 1 }: Fields = {}) {
  const made = await rows<{ id: string }>(
    `insert into sites.jobs (id, kind, owner_id, actor_id, server_id, site_id, batch_id, queue, lane, is_exclusive, is_heavy, input)
     select gen_random_uuid(), 'trial', $1, $1, $2, $3, $4, 'site-ops', $5, $6, $7, '{}' from generate_series(1, $8) returning id`,
    [server.owner, server.id, site ?? null, batch ?? null, lane, isExclusive, isHeavy, n],
  );
  return made.map(({ id }) => id);
}
const one = async (fields: Fields = {}) => (await order(fields))[0] ?? '';

async function orderBatch(n: number): Promise<{ id: string; children: string[] }> {
  const id = randomUUID();
  await product.database.query(
    `insert into sites.jobs (id, kind, owner_id, actor_id, is_batch, queue, lane, is_exclusive, is_heavy, input)
     values ($1, 'trial', $2, $2, true, 'site-ops', '', false, false, '{}')`,
    [id, server.owner],
  );
  return { id, children: await order({ batch: id, n }) };
}

type Row = { attempts: number; state: string; isOut: boolean; fence: number };
async function rowOf(id: string): Promise<Row> {
  const [row] = await rows<Row>(
    'select attempts, state, fence, dispatched_at is not null as "isOut" from sites.jobs where id = $1',
    [id],
  );
  if (!row) throw new Error('no such job');
  return row;
}
const isOut = async (id: string) => (await rowOf(id)).isOut;
const countOut = async (lane: string) =>
  (
    await rows<{ n: number }>(
      'select count(*)::int as n from sites.jobs where lane = $1 and dispatched_at is not null',
      [lane],
    )
  )[0]?.n;

async function claim(id: string, attempt?: number, kinds = ['trial']) {
  await until(() => isOut(id));
  const { job } = await agent.call(claimJob, { id, attempt: attempt ?? (await rowOf(id)).attempts, agent: 'a', kinds });
  return job;
}
async function hold(id: string): Promise<{ id: string; fence: number }> {
  const job = await claim(id);
  if (!job) throw new Error('not claimed');
  return { id, fence: job.fence };
}
const finish = (held: { id: string; fence: number }, state: 'succeeded' | 'failed' | 'cancelled' = 'succeeded') =>
  agent.call(finishJob, {
    ...held,
    state,
    result: state === 'succeeded' ? { n: 1 } : null,
    error: state === 'failed' ? { message: 'non' } : null,
  });
/** As if its worker had died half a minute ago. */
const letExpire = (id: string) =>
  product.database.query("update sites.jobs set lease_until = now() - interval '1 second' where id = $1", [id]);

const leftOf = async (id: string) =>
  (
    await rows<{ left: number }>(
      'select extract(epoch from lease_until - now())::int as left from sites.jobs where id = $1',
      [id],
    )
  )[0]?.left ?? 0;

const read = async (id: string, query = '', token = root) =>
  product.request('GET', `/api/jobs/${id}${query}`, { token });
const act = (id: string, verb: string, token = root) => product.request('POST', `/api/jobs/${id}/${verb}`, { token });

describe('an attempt', () => {
  it('is claimed once, by whoever comes first', async () => {
    const id = await one();
    await until(() => isOut(id));
    const claims = await Promise.all(Array.from({ length: 8 }, () => claim(id, 1)));
    expect(claims.filter(Boolean)).toEqual([expect.objectContaining({ id, fence: 1, was_started: false })]);
    expect(await claim(id, 2)).toBeNull();
  });

  it('ends with what was done, which people read with the steps on the way', async () => {
    const held = await hold(await one());
    const progress = { step: 'Copie', done: 1, total: 2 };
    await agent.call(noteJob, { ...held, progress, lines: ['un', 'deux\0'] });
    expect((await read(held.id)).body).toMatchObject({
      state: 'running',
      progress,
      log: [
        { seq: 1, text: 'un' },
        { seq: 2, text: 'deux' },
      ],
    });
    expect((await read(held.id, '?after=1')).body['log']).toEqual([expect.objectContaining({ text: 'deux' })]);
    await finish(held);
    expect((await read(held.id)).body).toMatchObject({
      state: 'succeeded',
      result: { n: 1 },
      error: null,
      attempts: 1,
    });
  });

  it('keeps what a host printed, whatever that is made of', async () => {
    const held = await hold(await one());
    const text = 'a\0b\uD83D';
    await agent.call(noteJob, { ...held, progress: { step: text, done: null, total: null }, lines: [text] });
    await agent.call(finishJob, { ...held, state: 'failed', result: null, error: { message: text, steps: [text] } });
    expect((await read(held.id)).body).toMatchObject({
      state: 'failed',
      progress: { step: 'ab' },
      error: { message: 'ab', steps: ['ab'] },
    });
  });

  it('refuses a result that no answer could hold, and says so', async () => {
    const held = await hold(await one());
    const end = (size: number) =>
      agent.call(finishJob, { ...held, state: 'succeeded', result: { text: 'x'.repeat(size) }, error: null });
    await expect(end(300_000)).rejects.toMatchObject({ code: expect.stringMatching(/invalid|schema/) });
    await expect(end(2_000_000)).rejects.toMatchObject({ code: 'too_large' });
    await end(250_000);
    expect((await read(held.id)).body).toMatchObject({ state: 'succeeded' });
  });

  it('has a log that can be read to its end, however much was printed', async () => {
    const held = await hold(await one());
    const lines = Array.from({ length: 60 }, () => '\u0001'.repeat(2_000));
    for (let n = 0; n < 3; n += 1) await agent.call(noteJob, { ...held, progress: null, lines });
    const page = await read(held.id);
    const log = page.body['log'] as { seq: number }[];
    expect([page.status, log[0]?.seq]).toEqual([200, 1]);
    const next = await read(held.id, `?after=${log.at(-1)?.seq}`);
    expect(next.body['log']).toEqual(expect.arrayContaining([expect.objectContaining({ seq: log.length + 1 })]));
    expect([400, 422]).toContain((await read(held.id, '?after=99999999999')).status);
    await product.database.query('update sites.jobs set log_bytes = 2147483647 where id = $1', [held.id]);
    await agent.call(noteJob, { ...held, progress: { step: 'fin', done: 1, total: 1 }, lines: ['de trop'] });
    expect((await read(held.id)).body).toMatchObject({ progress: { step: 'fin' } });
  });

  it('knows how to reach its server until it ends, and nobody after that', async () => {
    const id = await one();
    const job = await claim(id);
    expect(job?.access).toMatchObject({ host: '10.0.0.9', port: 22, user: 'root', credential: expect.any(Object) });
    await finish({ id, fence: job?.fence ?? 0 });
    expect(await rows('select access from sites.jobs where id = $1', [id])).toEqual([{ access: null }]);
  });

  it.each(['10.0.0.8:22', '10.0.0.9:2222'])('does not go to another address than %s', async (lane) => {
    const id = await one({ lane });
    expect(await claim(id)).toBeNull();
    expect((await read(id)).body).toMatchObject({
      state: 'failed',
      error: { message: expect.stringContaining('rien n’a été lancé') },
    });
  });

  it('is not queued again while its wake-up waits, and is when that was lost', async () => {
    const id = await one();
    await until(() => isOut(id));
    for (const _ of [1, 2]) {
      await letExpire(id);
      await until(async () => (await leftOf(id)) > 20);
    }
    expect(await rowOf(id)).toMatchObject({ attempts: 1, isOut: true });
    expect(await claim(id, 1)).toMatchObject({ id });
  });

  it('is left to another agent by one that does not know its kind', async () => {
    const id = await one();
    expect(await claim(id, undefined, ['other'])).toBeNull();
    expect(await rowOf(id)).toMatchObject({ state: 'queued', isOut: false });
    await until(() => isOut(id));
    expect(await claim(id, 2)).toMatchObject({ id });
  });
});

describe('a worker that died', () => {
  it('is followed by another one, and changes nothing any more', async () => {
    const old = await hold(await one());
    await letExpire(old.id);
    await until(async () => (await rowOf(old.id)).attempts === 2);
    const next = await claim(old.id, 2);
    expect(next).toMatchObject({ fence: 2, was_started: true });
    await expect(finish(old, 'failed')).rejects.toMatchObject({ code: 'conflict' });
    await expect(agent.call(noteJob, { ...old, progress: null, lines: ['faux'] })).rejects.toMatchObject({
      code: 'conflict',
    });
    await expect(agent.call(releaseJob, { ...old, wait_ms: 0, reason: '' })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await agent.call(renewJobs, { agent: 'a', held: [old] })).toEqual({ lost: [old.id], cancelling: [] });
    await finish({ id: old.id, fence: 2 });
    expect((await read(old.id)).body).toMatchObject({ state: 'succeeded', log: [] });
  });

  it('keeps what it holds for as long as it renews', async () => {
    const held = await hold(await one());
    await letExpire(held.id);
    expect(await agent.call(renewJobs, { agent: 'a', held: [held] })).toEqual({ lost: [], cancelling: [] });
    expect(await leftOf(held.id)).toBeGreaterThan(20);
    await finish(held);
  });

  it('is not followed for ever', async () => {
    const held = await hold(await one());
    await product.database.query('update sites.jobs set claims = 10 where id = $1', [held.id]);
    await letExpire(held.id);
    await until(async () => (await rowOf(held.id)).state !== 'running');
    expect((await read(held.id)).body).toMatchObject({ state: 'unknown', error: { message: expect.any(String) } });
  });

  it('may hand over what it has not ended', async () => {
    const held = await hold(await one());
    await agent.call(releaseJob, { ...held, wait_ms: 0, reason: 'Le processus s’arrête.' });
    expect(await claim(held.id, 2)).toMatchObject({ fence: 3, was_started: true });
    expect((await read(held.id)).body['log']).toEqual([expect.objectContaining({ text: 'Le processus s’arrête.' })]);
  });
});

describe('a lane', () => {
  it('has three places, and keeps no other lane waiting', async () => {
    await order({ lane: 'busy:22', n: 50 });
    await until(async () => (await countOut('busy:22')) === 3);
    const id = await one();
    await until(() => isOut(id));
    expect(await countOut('busy:22')).toBe(3);
  });

  it('goes on when one of them ends, oldest first', async () => {
    const ids = await order({ n: 4 });
    await product.database.query("update sites.jobs set created_at = created_at + interval '1 s' where id = $1", [
      ids[3],
    ]);
    const held = await hold(ids[0] ?? '');
    expect(await isOut(ids[3] ?? '')).toBe(false);
    await finish(held);
    await until(() => isOut(ids[3] ?? ''));
  });

  it('has one heavy job, and a site one that changes it', async () => {
    await order({ lane: 'heavy:22', isHeavy: true, n: 3 });
    const site = randomUUID();
    await order({ lane: 'a:22', site, isExclusive: true, n: 2 });
    await order({ lane: 'b:22', site, isExclusive: true });
    const last = await one({ lane: 'last:22' });
    await until(() => isOut(last));
    const [out] = await rows<{ n: number }>(
      'select count(*)::int as n from sites.jobs where site_id = $1 and dispatched_at is not null',
      [site],
    );
    expect([await countOut('heavy:22'), out?.n]).toEqual([1, 1]);
  });

  it('waits for no queue but its own', async () => {
    await product.database.query(
      `insert into sites.jobs (id, kind, owner_id, actor_id, queue, lane, is_exclusive, is_heavy, input)
       select gen_random_uuid(), 'trial', $1, $1, 'site-transfers', 'slow-' || n, false, false, '{}' from generate_series(1, 600) n`,
      [server.owner],
    );
    await until(
      async () =>
        (await rows('select 1 from sites.jobs where dispatched_at is not null and queue = $1', ['site-transfers']))
          .length === 500,
    );
    const id = await one();
    expect(await claim(id)).toMatchObject({ id });
  });

  it('may be a hundred thousand jobs long, of which few are in Redis', async () => {
    await order({ lane: 'long:22', n: 100_000 });
    await product.database.query(
      `insert into sites.jobs (id, kind, owner_id, actor_id, queue, lane, is_exclusive, is_heavy, input)
       select gen_random_uuid(), 'trial', $1, $1, 'site-ops', 'wide-' || n, false, false, '{}' from generate_series(1, 2000) n`,
      [server.owner],
    );
    await until(
      async () =>
        Number(
          (await rows<{ n: number }>('select count(*)::int as n from sites.jobs where dispatched_at is not null'))[0]
            ?.n,
        ) >= 500,
    );
    expect(await rows('select 1 from sites.jobs where dispatched_at is not null')).toHaveLength(500);
    expect(await countOut('long:22')).toBeLessThanOrEqual(3);
    expect((await product.request('GET', '/api/jobs?limit=5', { token: root })).body['items']).toHaveLength(5);
  });
});

describe('a cancellation', () => {
  it('ends what has not begun, at once and for good', async () => {
    const id = await one();
    await until(() => isOut(id));
    expect((await act(id, 'cancel')).body).toMatchObject({ state: 'cancelled', is_cancelling: false });
    expect(await agent.call(claimJob, { id, attempt: 1, agent: 'a', kinds: ['trial'] })).toEqual({ job: null });
    expect((await act(id, 'cancel')).status).toBe(409);
  });

  it('is heard by the worker of what runs', async () => {
    const held = await hold(await one());
    expect((await act(held.id, 'cancel')).body).toMatchObject({ state: 'running', is_cancelling: true });
    expect(await agent.call(renewJobs, { agent: 'a', held: [held] })).toEqual({ lost: [], cancelling: [held.id] });
    await finish(held, 'cancelled');
    expect((await read(held.id)).body).toMatchObject({ state: 'cancelled', is_cancelling: false });
  });

  it('does not wait for what was put off', async () => {
    const held = await hold(await one());
    await agent.call(releaseJob, { ...held, wait_ms: 3_600_000, reason: 'Plus tard.' });
    await act(held.id, 'cancel');
    expect(await claim(held.id, 2)).toMatchObject({ is_cancelling: true });
  });
});

describe('a batch', () => {
  it('is where its jobs are', async () => {
    const { id, children } = await orderBatch(3);
    const stateOf = async () => (await read(id)).body['state'];
    expect(await stateOf()).toBe('queued');
    const held = await Promise.all(children.map(hold));
    expect(await stateOf()).toBe('running');
    await Promise.all(held.map((each, at) => finish(each, at === 0 ? 'failed' : 'succeeded')));
    expect((await read(id)).body).toMatchObject({
      state: 'failed',
      counts: { total: 3, queued: 0, running: 0, succeeded: 2, failed: 1, cancelled: 0, unknown: 0 },
    });
  });

  it('is relaunched where it failed', async () => {
    const { id, children } = await orderBatch(3);
    const held = await Promise.all(children.map(hold));
    await Promise.all(held.map((each, at) => finish(each, at === 0 ? 'failed' : 'succeeded')));
    const [{ body }, again] = await Promise.all([act(id, 'retry'), act(id, 'retry')]);
    expect(again.body['id']).toBe(body['id']);
    expect(body).toMatchObject({ retry_of: id, state: 'queued', counts: { total: 1, queued: 1 } });
    const items = (await product.request('GET', `/api/jobs?batch_id=${String(body['id'])}`, { token: root })).body[
      'items'
    ];
    expect(items).toEqual([expect.objectContaining({ retry_of: children[0], batch_id: body['id'] })]);
  });

  it('is cancelled whole', async () => {
    const { id } = await orderBatch(5);
    await until(async () => (await countOut('10.0.0.9:22')) === 3);
    const [out] = await rows<{ id: string }>(
      'select id from sites.jobs where batch_id = $1 and dispatched_at is not null',
      [id],
    );
    const held = await hold(out?.id ?? '');
    expect((await act(id, 'cancel')).body).toMatchObject({ state: 'running', counts: { cancelled: 4, running: 1 } });
    await finish(held, 'cancelled');
    expect((await read(id)).body).toMatchObject({ state: 'cancelled' });
  });
});

it('shows a client its own jobs and nobody else’s', async () => {
  const id = await one();
  const { token } = await addUser(product, root);
  for (const [method, path] of [
    ['GET', ''],
    ['POST', '/cancel'],
    ['POST', '/retry'],
  ] as const) {
    expect((await product.request(method, `/api/jobs/${id}${path}`, { token })).status).toBe(404);
  }
  expect((await product.request('GET', '/api/jobs', { token })).body).toEqual({ items: [] });
  expect((await act(id, 'retry')).status).toBe(409);
});
