import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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

/** Makes a job look passed over this many times since this many minutes. */
const setPasses = (id: string, minutes: number, passings = 0) =>
  ledger.rows(
    `update sites.jobs set not_before = now(), passed_by_at = now() - make_interval(mins => $2), passings = passings + $3
     where id = $1`,
    [id, minutes, passings],
  );

describe('an attempt', () => {
  it('is claimed once, by the first agent', async () => {
    const id = await ledger.one();
    await until(() => ledger.isDispatched(id));
    const claims = await Promise.all(Array.from({ length: 8 }, () => ledger.claim(id, 1)));
    expect(claims.filter(Boolean)).toEqual([expect.objectContaining({ id, fence: 1, was_started: false })]);
    expect(await ledger.claim(id, 2)).toBeNull();
  });

  it('ends with a result, which people read with its steps and log', async () => {
    const claimed = await ledger.hold(await ledger.one());
    const progress = { step: 'Copie', done: 1, total: 2 };
    await ledger.agent.call(noteJob, { ...claimed, progress, lines: ['un', 'deux\0'] });
    expect((await ledger.read(claimed.id)).body).toMatchObject({
      state: 'running',
      progress,
      log: [
        { seq: 1, text: 'un' },
        { seq: 2, text: 'deux' },
      ],
    });
    expect((await ledger.read(claimed.id, '?after=1')).body['log']).toEqual([
      expect.objectContaining({ text: 'deux' }),
    ]);
    await ledger.finish(claimed);
    expect((await ledger.read(claimed.id)).body).toMatchObject({
      state: 'succeeded',
      result: { n: 1 },
      error: null,
      attempts: 1,
    });
  });

  it('keeps whatever bytes a host printed', async () => {
    const claimed = await ledger.hold(await ledger.one());
    const text = 'a\0b\uD83D';
    await ledger.agent.call(noteJob, { ...claimed, progress: { step: text, done: null, total: null }, lines: [text] });
    await ledger.agent.call(finishJob, {
      ...claimed,
      state: 'failed',
      result: null,
      error: { message: text, steps: [text] },
    });
    expect((await ledger.read(claimed.id)).body).toMatchObject({
      state: 'failed',
      progress: { step: 'ab' },
      error: { message: 'ab', steps: ['ab'] },
    });
  });

  it('refuses a result that is too large for an answer', async () => {
    const claimed = await ledger.hold(await ledger.one());
    const end = (size: number) =>
      ledger.agent.call(finishJob, { ...claimed, state: 'succeeded', result: { text: 'x'.repeat(size) }, error: null });
    await expect(end(300_000)).rejects.toMatchObject({ code: expect.stringMatching(/invalid|schema/) });
    await expect(end(2_000_000)).rejects.toMatchObject({ code: 'too_large' });
    await end(250_000);
    expect((await ledger.read(claimed.id)).body).toMatchObject({ state: 'succeeded' });
  });

  it('has a log that can be read to its end, however long', async () => {
    const claimed = await ledger.hold(await ledger.one());
    const lines = Array.from({ length: 60 }, () => '\u0001'.repeat(2_000));
    for (let n = 0; n < 3; n += 1) await ledger.agent.call(noteJob, { ...claimed, progress: null, lines });
    const page = await ledger.read(claimed.id);
    const log = page.body['log'] as { seq: number }[];
    expect([page.status, log[0]?.seq]).toEqual([200, 1]);
    const next = await ledger.read(claimed.id, `?after=${log.at(-1)?.seq}`);
    expect(next.body['log']).toEqual(expect.arrayContaining([expect.objectContaining({ seq: log.length + 1 })]));
    expect([400, 422]).toContain((await ledger.read(claimed.id, '?after=99999999999')).status);
    const many = Array.from({ length: 40 }, (_, n) => `${n} ${'x'.repeat(990)}`);
    await ledger.agent.call(noteJob, { ...claimed, progress: { step: 'fin', done: 1, total: 1 }, lines: many });
    await ledger.agent.call(releaseJob, { ...claimed, wait_ms: 0, reason: 'Le serveur ne répond pas.' });
    const { body } = await ledger.read(claimed.id, '?after=122');
    expect(body).toMatchObject({ progress: { step: 'fin' } });
    const texts = (body['log'] as { text: string }[]).map(({ text }) => text.slice(0, 13));
    // After the cut, only the last sixteen kibibytes stay.
    expect([texts[0], texts.length, texts[1]?.slice(0, 3), texts.at(-1)]).toEqual([
      'Journal coupé',
      18,
      '24 ',
      'Le serveur ne',
    ]);
  });

  it('keeps its access until it ends, and no longer', async () => {
    const id = await ledger.one();
    const job = await ledger.claim(id);
    expect(job?.access).toMatchObject({ host: '10.0.0.9', port: 22, user: 'root', credential: expect.any(Object) });
    await ledger.finish({ id, fence: job?.fence ?? 0 });
    expect(await ledger.rows('select access from sites.jobs where id = $1', [id])).toEqual([{ access: null }]);
  });

  it.each(['10.0.0.8:22', '10.0.0.9:2222'])(
    'is refused when its lane is %s and its server has another address',
    async (lane) => {
      const id = await ledger.one({ lane });
      expect(await ledger.claim(id)).toBeNull();
      expect((await ledger.read(id)).body).toMatchObject({
        state: 'failed',
        error: { message: expect.stringContaining('rien n’a été lancé') },
      });
    },
  );

  it('is left to another agent when one does not know its kind', async () => {
    const id = await ledger.one();
    expect(await ledger.claim(id, undefined, ['other'])).toBeNull();
    expect(await ledger.rowOf(id)).toMatchObject({ state: 'queued', isDispatched: false });
    await setPasses(id, 11);
    expect(await ledger.claim(id, 2)).toMatchObject({ id });
    expect(await ledger.rows('select passed_by_at, passings from sites.jobs')).toEqual([
      { passed_by_at: null, passings: 0 },
    ]);
    // Passing over a job is not a try.
    expect((await ledger.read(id)).body).toMatchObject({ attempts: 1 });
  });

  it('is refused when no agent has known its kind for ten minutes', async () => {
    const id = await ledger.one();
    await ledger.claim(id, 1, ['other']);
    await setPasses(id, 9);
    await ledger.claim(id, 2, ['other']);
    expect((await ledger.read(id)).body).toMatchObject({ state: 'queued', error: null });
    await setPasses(id, 11);
    // During an outage of Redis a job is queued again and again.
    await ledger.rows('update sites.jobs set attempts = attempts + 40');
    await ledger.claim(id, undefined, ['other']);
    expect((await ledger.read(id)).body).toMatchObject({ state: 'queued', error: null });
    await setPasses(id, 11, 20);
    await ledger.claim(id, undefined, ['other']);
    const message = expect.stringMatching(
      /Aucun agent en service ne connaît cette tâche \(trial\).*rien n’a été lancé/,
    );
    expect((await ledger.read(id)).body).toMatchObject({ state: 'failed', started_at: null, error: { message } });
  });

  it('starts again after an untouched release, and continues after a begun one', async () => {
    const release = { wait_ms: 0, reason: 'Le serveur est occupé.', is_untouched: true };
    const claimed = await ledger.hold(await ledger.one());
    await ledger.agent.call(releaseJob, { ...claimed, ...release });
    expect((await ledger.read(claimed.id)).body).toMatchObject({ state: 'queued', started_at: null });
    expect(await ledger.claim(claimed.id, 2)).toMatchObject({ was_started: false });
    await ledger.agent.call(releaseJob, { id: claimed.id, fence: 3, ...release, is_untouched: false });
    expect(await ledger.claim(claimed.id, 3)).toMatchObject({ was_started: true });
  });
});

it('sends a job to the server’s current address after an untouched release, and ends it as unknown after days without its host', async () => {
  const claimed = await ledger.hold(await ledger.one());
  await ledger.agent.call(releaseJob, { ...claimed, wait_ms: 0, reason: 'Occupé.', is_untouched: true });
  expect(await ledger.rows('select access from sites.jobs')).toEqual([{ access: null }]);
  const secondClaim = await ledger.hold(claimed.id);
  await ledger.agent.call(releaseJob, { ...secondClaim, wait_ms: 3_600_000, reason: 'Absent.' });
  await ledger.rows("update sites.jobs set started_at = now() - interval '7 days'");
  await until(async () => (await ledger.rowOf(claimed.id)).state === 'unknown');
});

it('does not queue jobs once hosts may have deleted their journals', async () => {
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
  // No agent contacted their hosts, so none counts as away.
  const messages = await ledger.rows<{ text: string }>("select distinct error->>'message' as text from sites.jobs");
  expect(messages).toEqual([{ text: expect.stringMatching(/^Commencée il y a plus de 6\u00a0jours, (?!.*joint)/) }]);
});

describe('a cancellation', () => {
  it('ends a queued job at once', async () => {
    const id = await ledger.one();
    await until(() => ledger.isDispatched(id));
    expect((await ledger.act(id, 'retry')).status).toBe(409);
    expect((await ledger.act(id, 'cancel')).body).toMatchObject({ state: 'cancelled', is_cancelling: false });
    expect(await ledger.agent.call(claimJob, { id, attempt: 1, agent: 'a', kinds: ['trial'] })).toEqual({ job: null });
    expect((await ledger.act(id, 'cancel')).status).toBe(409);
  });

  it('reaches the worker of a running job', async () => {
    const claimed = await ledger.hold(await ledger.one());
    expect((await ledger.act(claimed.id, 'cancel')).body).toMatchObject({ state: 'running', is_cancelling: true });
    expect(await ledger.agent.call(renewJobs, { agent: 'a', held: [claimed] })).toEqual({
      lost: [],
      cancelling: [claimed.id],
    });
    await ledger.finish(claimed, 'cancelled');
    expect((await ledger.read(claimed.id)).body).toMatchObject({ state: 'cancelled', is_cancelling: false });
  });

  it('does not wait for a job that was put off', async () => {
    const claimed = await ledger.hold(await ledger.one());
    await ledger.agent.call(releaseJob, { ...claimed, wait_ms: 3_600_000, reason: 'Plus tard.' });
    await ledger.act(claimed.id, 'cancel');
    expect(await ledger.claim(claimed.id, 2)).toMatchObject({ is_cancelling: true });
  });
});

it('lists open jobs apart from the others', async () => {
  const [waiting, ended] = [await ledger.one(), await ledger.one()];
  const running = await ledger.hold(await ledger.one());
  await ledger.act(ended, 'cancel');
  const list = async (state: string) => (await ledger.request('GET', `/jobs?state=${state}`)).body['items'];
  const ids = [expect.objectContaining({ id: running.id }), expect.objectContaining({ id: waiting })];
  expect(await list('open')).toEqual(ids);
  expect(await list('cancelled')).toEqual([expect.objectContaining({ id: ended })]);
});

describe('a list', () => {
  const list = async (query: string, token = ledger.root) =>
    ((await ledger.request('GET', `/jobs?${query}`, { token })).body['items'] as { id: string }[]).map(({ id }) => id);
  const end = (ids: readonly (string | undefined)[], state: string) =>
    ledger.rows('update sites.jobs set state = $2, finished_at = now() where id = any($1::uuid[])', [ids, state]);

  it('of failures includes batches with a failed job, and nothing else', async () => {
    const [succeeded, failed, unknown] = [await ledger.one(), await ledger.one(), await ledger.one()];
    const running = await ledger.orderBatch(2);
    const [succeededBatch, retriedBatch] = [await ledger.orderBatch(1), await ledger.orderBatch(1)];
    const succeededIds = [succeeded, succeededBatch.id, ...succeededBatch.children, retriedBatch.id];
    await end(succeededIds, 'succeeded');
    // Their work is not that of the failed jobs.
    await ledger.rows("update sites.jobs set about = 'autre' where id = any($1::uuid[])", [succeededIds]);
    await end([failed, running.children[0], ...retriedBatch.children], 'failed');
    await end([unknown], 'unknown');
    await ledger.rows('update sites.jobs set retry_of = $2 where id = $1', [
      await ledger.one({ batchId: retriedBatch.id }),
      retriedBatch.children[0],
    ]);
    expect(await list('state=failures')).toEqual([running.id, unknown, failed]);
    expect(await list(`state=failures&batch_id=${running.id}`)).toEqual([running.children[0]]);
    expect(await list('state=failures', (await addUser(ledger.product, ledger.root)).token)).toEqual([]);
  });

  it('can be read to its end, page by page', async () => {
    const ids = await ledger.insertJobs({ n: 5 });
    const all = await list('limit=200');
    expect(all.toSorted()).toEqual(ids.toSorted());
    expect(await list('limit=2')).toEqual(all.slice(0, 2));
    expect(await list(`limit=2&before=${all[1]}`)).toEqual(all.slice(2, 4));
    expect(await list(`limit=2&before=${all[3]}&state=queued`)).toEqual(all.slice(4));
    expect(await list(`before=${randomUUID()}`)).toEqual([]);
  });

  it('of a batch begins with failed, running and waiting jobs on all its pages', async () => {
    const states = ['succeeded', 'failed', 'cancelled', 'unknown', 'running', 'queued', 'failed'];
    const { id, children } = await ledger.orderBatch(states.length);
    for (const [at, state] of states.entries()) await end([children[at]], state);
    const stateOf = new Map(children.map((child, at) => [child, states[at]]));
    const whole = await list(`batch_id=${id}`);
    expect(whole.slice(0, 5).map((child) => stateOf.get(child))).toEqual([
      'failed',
      'failed',
      'unknown',
      'running',
      'queued',
    ]);
    const pages = [await list(`batch_id=${id}&limit=3`)];
    pages.push(await list(`batch_id=${id}&limit=3&before=${pages[0]?.at(-1)}`));
    pages.push(await list(`batch_id=${id}&limit=3&before=${pages[1]?.at(-1)}`));
    expect(pages.flat()).toEqual(whole);
  });
});

it('passes all jobs of a deleted user on to the heir, in short statements', async () => {
  const { id: person } = await addUser(ledger.product, ledger.root);
  await ledger.insertJobs({ n: 2_500 });
  await ledger.rows('update sites.jobs set owner_id = $1', [person]);
  await ledger.rows(`
    create function sites.refuse_many() returns trigger language plpgsql as
      $$ begin if (select count(*) from changed) > 1000 then raise exception 'too many'; end if; return null; end $$;
    create trigger refuse_many after update on sites.jobs referencing new table as changed
      for each statement execute function sites.refuse_many()`);
  try {
    const path = `/api/admin/users/${person}`;
    expect((await ledger.product.request('DELETE', path, { token: ledger.root })).status).toBe(204);
    await until(async () => (await ledger.rows('select from sites.jobs where owner_id = $1', [person])).length === 0);
  } finally {
    await ledger.rows('drop function sites.refuse_many cascade');
  }
});

it('retries a job once under one idempotency key, even after the retry has ended', async () => {
  const claimed = await ledger.hold(await ledger.one());
  await ledger.finish(claimed, 'failed');
  const key = { 'idempotency-key': randomUUID() };
  const retryId = String((await ledger.act(claimed.id, 'retry', key)).body['id']);
  await ledger.finish(await ledger.hold(retryId), 'failed');
  expect((await ledger.act(claimed.id, 'retry', key)).body).toMatchObject({ id: retryId, state: 'failed' });
  expect((await ledger.act(retryId, 'retry', key)).status).toBe(422);
  expect((await ledger.act(claimed.id, 'retry')).body['id']).not.toBe(retryId);
});

describe('a retry', () => {
  const retry = async (id: string) => String((await ledger.act(id, 'retry')).body['id']);
  const refusals = async (...ids: string[]) =>
    (await Promise.all(ids.map((id) => ledger.act(id, 'retry')))).map(({ status, text }) => [status, text]);

  it('is shared while it is open, and refused once any job of its chain has succeeded', async () => {
    const first = await ledger.one();
    await ledger.finish(await ledger.hold(first), 'failed');
    const second = await retry(first);
    expect(await retry(first)).toBe(second);
    await ledger.finish(await ledger.hold(second), 'failed');
    // A second retry of the first job, beside the other one.
    const third = await retry(first);
    expect(await retry(first)).toBe(third);
    expect(await refusals(second)).toEqual([[409, expect.stringContaining('n’est pas terminée')]]);
    await ledger.finish(await ledger.hold(third));
    const done = [409, expect.stringContaining('relancée avec succès')];
    expect(await refusals(first, second)).toEqual([done, done]);
    const { body } = await ledger.request('GET', '/jobs');
    expect(body['items']).toMatchObject([{ redone_by: null }, { redone_by: third }, { redone_by: third }]);
  });

  it('is refused while the open retry is being cancelled', async () => {
    const first = await ledger.one();
    await ledger.finish(await ledger.hold(first), 'failed');
    const claimed = await ledger.hold(await retry(first));
    await ledger.act(claimed.id, 'cancel');
    expect(await refusals(first)).toEqual([[409, expect.stringContaining('s’annule encore')]]);
    await ledger.finish(claimed, 'cancelled');
    expect(await retry(first)).not.toBe(claimed.id);
  });

  it('is created once by simultaneous requests', async () => {
    const first = await ledger.one();
    await ledger.finish(await ledger.hold(first), 'failed');
    const second = await retry(first);
    await ledger.finish(await ledger.hold(second), 'failed');
    const answers = await Promise.all([first, second, first, second].map((id) => ledger.act(id, 'retry')));
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 200, 409, 409]);
    expect(new Set(answers.flatMap(({ status, body }) => (status === 200 ? [body['id']] : []))).size).toBe(1);
  });

  it('goes to the current address of its server', async () => {
    const id = await ledger.one({ lane: '10.0.0.8:2222' });
    expect(await ledger.claim(id)).toBeNull();
    expect(await ledger.claim(await retry(id))).toMatchObject({ access: { host: '10.0.0.9', port: 22 } });
  });

  it('goes to the current address and folders of its site', async () => {
    const siteId = randomUUID();
    const id = await ledger.one({ lane: `${siteId}:0`, siteId });
    await ledger.rows(`update sites.jobs set input = '{"site": {"path": "/ancien"}, "content": "/ancien/wp-content"}'`);
    expect(await ledger.claim(id)).toBeNull();
    await ledger.rows(
      `update sites.sites set name = 'neuf', facts = '{"content_dir": "/srv/s/contenu"}' where id = $1`,
      [siteId],
    );
    const retryId = await retry(id);
    expect((await ledger.read(retryId)).body).toMatchObject({ site_id: siteId, site_name: 'neuf' });
    expect(await ledger.claim(retryId)).toMatchObject({
      access: { host: '10.0.0.9' },
      input: { site: { path: '/srv/s' }, content: '/srv/s/contenu' },
    });
  });
});

it('tells the next worker how much of the journal is in the log', async () => {
  const claimed = await ledger.hold(await ledger.one());
  await ledger.agent.call(noteJob, { ...claimed, progress: null, lines: ['a'], heard: 40 });
  await ledger.agent.call(noteJob, { ...claimed, progress: null, lines: ['b'], heard: 12 });
  await ledger.agent.call(releaseJob, { ...claimed, wait_ms: 0, reason: 'À un autre.' });
  expect(await ledger.claim(claimed.id, 2)).toMatchObject({ heard: 40 });
});
