import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { finishJob, claimJob, noteJob, releaseJob, renewJobs } from '@vigie/contracts/jobs';
import { TestLedger } from '@vigie/testing/ledger';
import { addUser } from '@vigie/testing/people';
import { until } from '@vigie/testing/until';

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await TestLedger.start();
});
afterAll(() => ledger?.stop());
beforeEach(() => ledger.rows('truncate sites.jobs cascade'));

/** As if so many minutes were over since the first agent that did not know it, of so many. */
const passedBy = (id: string, minutes: number, passings = 0) =>
  ledger.rows(
    `update sites.jobs set not_before = now(), passed_by_at = now() - make_interval(mins => $2), attempts = attempts + $3
     where id = $1`,
    [id, minutes, passings],
  );

describe('an attempt', () => {
  it('is claimed once, by whoever comes first', async () => {
    const id = await ledger.one();
    await until(() => ledger.isOut(id));
    const claims = await Promise.all(Array.from({ length: 8 }, () => ledger.claim(id, 1)));
    expect(claims.filter(Boolean)).toEqual([expect.objectContaining({ id, fence: 1, was_started: false })]);
    expect(await ledger.claim(id, 2)).toBeNull();
  });

  it('ends with what was done, which people read with the steps on the way', async () => {
    const held = await ledger.hold(await ledger.one());
    const progress = { step: 'Copie', done: 1, total: 2 };
    await ledger.agent.call(noteJob, { ...held, progress, lines: ['un', 'deux\0'] });
    expect((await ledger.read(held.id)).body).toMatchObject({
      state: 'running',
      progress,
      log: [
        { seq: 1, text: 'un' },
        { seq: 2, text: 'deux' },
      ],
    });
    expect((await ledger.read(held.id, '?after=1')).body['log']).toEqual([expect.objectContaining({ text: 'deux' })]);
    await ledger.finish(held);
    expect((await ledger.read(held.id)).body).toMatchObject({
      state: 'succeeded',
      result: { n: 1 },
      error: null,
      attempts: 1,
    });
  });

  it('keeps what a host printed, whatever that is made of', async () => {
    const held = await ledger.hold(await ledger.one());
    const text = 'a\0b\uD83D';
    await ledger.agent.call(noteJob, { ...held, progress: { step: text, done: null, total: null }, lines: [text] });
    await ledger.agent.call(finishJob, {
      ...held,
      state: 'failed',
      result: null,
      error: { message: text, steps: [text] },
    });
    expect((await ledger.read(held.id)).body).toMatchObject({
      state: 'failed',
      progress: { step: 'ab' },
      error: { message: 'ab', steps: ['ab'] },
    });
  });

  it('refuses a result that no answer could hold, and says so', async () => {
    const held = await ledger.hold(await ledger.one());
    const end = (size: number) =>
      ledger.agent.call(finishJob, { ...held, state: 'succeeded', result: { text: 'x'.repeat(size) }, error: null });
    await expect(end(300_000)).rejects.toMatchObject({ code: expect.stringMatching(/invalid|schema/) });
    await expect(end(2_000_000)).rejects.toMatchObject({ code: 'too_large' });
    await end(250_000);
    expect((await ledger.read(held.id)).body).toMatchObject({ state: 'succeeded' });
  });

  it('has a log that can be read to its end, however much was printed', async () => {
    const held = await ledger.hold(await ledger.one());
    const lines = Array.from({ length: 60 }, () => '\u0001'.repeat(2_000));
    for (let n = 0; n < 3; n += 1) await ledger.agent.call(noteJob, { ...held, progress: null, lines });
    const page = await ledger.read(held.id);
    const log = page.body['log'] as { seq: number }[];
    expect([page.status, log[0]?.seq]).toEqual([200, 1]);
    const next = await ledger.read(held.id, `?after=${log.at(-1)?.seq}`);
    expect(next.body['log']).toEqual(expect.arrayContaining([expect.objectContaining({ seq: log.length + 1 })]));
    expect([400, 422]).toContain((await ledger.read(held.id, '?after=99999999999')).status);
    await ledger.product.database.query('update sites.jobs set log_bytes = 2147483647 where id = $1', [held.id]);
    await ledger.agent.call(noteJob, { ...held, progress: { step: 'fin', done: 1, total: 1 }, lines: ['de trop'] });
    expect((await ledger.read(held.id)).body).toMatchObject({ progress: { step: 'fin' } });
  });

  it('knows how to reach its server until it ends, and nobody after that', async () => {
    const id = await ledger.one();
    const job = await ledger.claim(id);
    expect(job?.access).toMatchObject({ host: '10.0.0.9', port: 22, user: 'root', credential: expect.any(Object) });
    await ledger.finish({ id, fence: job?.fence ?? 0 });
    expect(await ledger.rows('select access from sites.jobs where id = $1', [id])).toEqual([{ access: null }]);
  });

  it.each(['10.0.0.8:22', '10.0.0.9:2222'])('does not go to another address than %s', async (lane) => {
    const id = await ledger.one({ lane });
    expect(await ledger.claim(id)).toBeNull();
    expect((await ledger.read(id)).body).toMatchObject({
      state: 'failed',
      error: { message: expect.stringContaining('rien n’a été lancé') },
    });
  });

  it('is left to another agent by one that does not know its kind', async () => {
    const id = await ledger.one();
    expect(await ledger.claim(id, undefined, ['other'])).toBeNull();
    expect(await ledger.rowOf(id)).toMatchObject({ state: 'queued', isOut: false });
    await passedBy(id, 11);
    expect(await ledger.claim(id, 2)).toMatchObject({ id });
    expect(await ledger.rows('select passed_by_at from sites.jobs')).toEqual([{ passed_by_at: null }]);
  });

  it('is given up when no agent knew its kind for ten minutes', async () => {
    const id = await ledger.one();
    await ledger.claim(id, 1, ['other']);
    await passedBy(id, 9);
    await ledger.claim(id, 2, ['other']);
    expect((await ledger.read(id)).body).toMatchObject({ state: 'queued', error: null });
    await passedBy(id, 11);
    await ledger.claim(id, 3, ['other']);
    expect((await ledger.read(id)).body).toMatchObject({ state: 'queued', error: null });
    await passedBy(id, 11, 20);
    await ledger.claim(id, undefined, ['other']);
    const message = expect.stringMatching(
      /Aucun agent en service ne connaît cette tâche \(trial\).*rien n’a été lancé/,
    );
    expect((await ledger.read(id)).body).toMatchObject({ state: 'failed', started_at: null, error: { message } });
  });

  it('begins anew after one that could not begin, and not after one that had begun', async () => {
    const later = { wait_ms: 0, reason: 'Le serveur est occupé.', is_untouched: true };
    const held = await ledger.hold(await ledger.one());
    await ledger.agent.call(releaseJob, { ...held, ...later });
    expect((await ledger.read(held.id)).body).toMatchObject({ state: 'queued', started_at: null });
    expect(await ledger.claim(held.id, 2)).toMatchObject({ was_started: false });
    await ledger.agent.call(releaseJob, { id: held.id, fence: 3, ...later, is_untouched: false });
    expect(await ledger.claim(held.id, 3)).toMatchObject({ was_started: true });
  });
});

it('given back untouched goes where its server is then, and is unknown once its host was away for days', async () => {
  const held = await ledger.hold(await ledger.one());
  await ledger.agent.call(releaseJob, { ...held, wait_ms: 0, reason: 'Occupé.', is_untouched: true });
  expect(await ledger.rows('select access from sites.jobs')).toEqual([{ access: null }]);
  const again = await ledger.hold(held.id);
  await ledger.agent.call(releaseJob, { ...again, wait_ms: 3_600_000, reason: 'Absent.' });
  await ledger.rows("update sites.jobs set started_at = now() - interval '7 days'");
  await until(async () => (await ledger.rowOf(held.id)).state === 'unknown');
});

it('that hosts may have forgotten are handed to nobody, however many they are', async () => {
  await ledger.rows(
    `insert into sites.jobs (id, kind, owner_id, actor_id, server_id, queue, lane, is_exclusive, is_heavy, input, state, started_at)
     select gen_random_uuid(), 'trial', $1, $1, $2, 'site-ops', 'h' || n || ':22', false, false, '{}', 'running', now() - interval '7 days'
     from generate_series(1, 150) n`,
    [ledger.server.owner, ledger.server.id],
  );
  const states = () =>
    ledger.rows("select state, max(attempts) as most from sites.jobs where lane like 'h%' group by 1");
  await until(async () => !(await states()).some((row) => Object(row).state === 'running'));
  expect(await states()).toEqual([{ state: 'unknown', most: 0 }]);
  // Nobody has asked their hosts, so none is said to have been away.
  const messages = await ledger.rows<{ text: string }>("select distinct error->>'message' as text from sites.jobs");
  expect(messages).toEqual([{ text: expect.stringMatching(/^Commencée il y a plus de 6\u00a0jours, (?!.*joint)/) }]);
});

describe('a cancellation', () => {
  it('ends what has not begun, at once and for good', async () => {
    const id = await ledger.one();
    await until(() => ledger.isOut(id));
    expect((await ledger.act(id, 'cancel')).body).toMatchObject({ state: 'cancelled', is_cancelling: false });
    expect(await ledger.agent.call(claimJob, { id, attempt: 1, agent: 'a', kinds: ['trial'] })).toEqual({ job: null });
    expect((await ledger.act(id, 'cancel')).status).toBe(409);
  });

  it('is heard by the worker of what runs', async () => {
    const held = await ledger.hold(await ledger.one());
    expect((await ledger.act(held.id, 'cancel')).body).toMatchObject({ state: 'running', is_cancelling: true });
    expect(await ledger.agent.call(renewJobs, { agent: 'a', held: [held] })).toEqual({
      lost: [],
      cancelling: [held.id],
    });
    await ledger.finish(held, 'cancelled');
    expect((await ledger.read(held.id)).body).toMatchObject({ state: 'cancelled', is_cancelling: false });
  });

  it('does not wait for what was put off', async () => {
    const held = await ledger.hold(await ledger.one());
    await ledger.agent.call(releaseJob, { ...held, wait_ms: 3_600_000, reason: 'Plus tard.' });
    await ledger.act(held.id, 'cancel');
    expect(await ledger.claim(held.id, 2)).toMatchObject({ is_cancelling: true });
  });
});

it('lists what is open by itself', async () => {
  const [waiting, over] = [await ledger.one(), await ledger.one()];
  const running = await ledger.hold(await ledger.one());
  await ledger.act(over, 'cancel');
  const list = async (state: string) =>
    (await ledger.product.request('GET', `/api/jobs?state=${state}`, { token: ledger.root })).body['items'];
  const ids = [expect.objectContaining({ id: running.id }), expect.objectContaining({ id: waiting })];
  expect(await list('open')).toEqual(ids);
  expect(await list('cancelled')).toEqual([expect.objectContaining({ id: over })]);
});

it('shows a client its own jobs and nobody else’s', async () => {
  const id = await ledger.one();
  const { token } = await addUser(ledger.product, ledger.root);
  for (const [method, path] of [
    ['GET', ''],
    ['POST', '/cancel'],
    ['POST', '/retry'],
  ] as const) {
    expect((await ledger.product.request(method, `/api/jobs/${id}${path}`, { token })).status).toBe(404);
  }
  expect((await ledger.product.request('GET', '/api/jobs', { token })).body).toEqual({ items: [] });
  expect((await ledger.act(id, 'retry')).status).toBe(409);
});

it('is relaunched once under one key, even when the new one is over', async () => {
  const held = await ledger.hold(await ledger.one());
  await ledger.finish(held, 'failed');
  const key = { 'idempotency-key': randomUUID() };
  const again = String((await ledger.act(held.id, 'retry', key)).body['id']);
  await ledger.finish(await ledger.hold(again), 'failed');
  expect((await ledger.act(held.id, 'retry', key)).body).toMatchObject({ id: again, state: 'failed' });
  expect((await ledger.act(again, 'retry', key)).status).toBe(422);
  expect((await ledger.act(held.id, 'retry')).body['id']).not.toBe(again);
});

it('gives whoever follows the place up to which it was heard', async () => {
  const held = await ledger.hold(await ledger.one());
  await ledger.agent.call(noteJob, { ...held, progress: null, lines: ['a'], heard: 40 });
  await ledger.agent.call(noteJob, { ...held, progress: null, lines: ['b'], heard: 12 });
  await ledger.agent.call(releaseJob, { ...held, wait_ms: 0, reason: 'À un autre.' });
  expect(await ledger.claim(held.id, 2)).toMatchObject({ heard: 40 });
});
