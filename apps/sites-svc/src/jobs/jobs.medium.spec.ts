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

/** As if so many minutes were over since the first agent that did not know it, of so many. */
const passedBy = (id: string, minutes: number, passings = 0) =>
  ledger.rows(
    `update sites.jobs set not_before = now(), passed_by_at = now() - make_interval(mins => $2), passings = passings + $3
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
    const many = Array.from({ length: 40 }, (_, n) => `${n} ${'x'.repeat(990)}`);
    await ledger.agent.call(noteJob, { ...held, progress: { step: 'fin', done: 1, total: 1 }, lines: many });
    await ledger.agent.call(releaseJob, { ...held, wait_ms: 0, reason: 'Le serveur ne répond pas.' });
    const { body } = await ledger.read(held.id, '?after=122');
    expect(body).toMatchObject({ progress: { step: 'fin' } });
    const texts = (body['log'] as { text: string }[]).map(({ text }) => text.slice(0, 13));
    // Of what came after the cut, the last sixteen kibibytes.
    expect([texts[0], texts.length, texts[1]?.slice(0, 3), texts.at(-1)]).toEqual([
      'Journal coupé',
      18,
      '24 ',
      'Le serveur ne',
    ]);
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
    expect(await ledger.rows('select passed_by_at, passings from sites.jobs')).toEqual([
      { passed_by_at: null, passings: 0 },
    ]);
    // Nobody tried it the first time.
    expect((await ledger.read(id)).body).toMatchObject({ attempts: 1 });
  });

  it('is given up when no agent knew its kind for ten minutes', async () => {
    const id = await ledger.one();
    await ledger.claim(id, 1, ['other']);
    await passedBy(id, 9);
    await ledger.claim(id, 2, ['other']);
    expect((await ledger.read(id)).body).toMatchObject({ state: 'queued', error: null });
    await passedBy(id, 11);
    // A queue that is away hands a job out again and again.
    await ledger.rows('update sites.jobs set attempts = attempts + 40');
    await ledger.claim(id, undefined, ['other']);
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
    expect((await ledger.act(id, 'retry')).status).toBe(409);
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
  const list = async (state: string) => (await ledger.ask('GET', `/jobs?state=${state}`)).body['items'];
  const ids = [expect.objectContaining({ id: running.id }), expect.objectContaining({ id: waiting })];
  expect(await list('open')).toEqual(ids);
  expect(await list('cancelled')).toEqual([expect.objectContaining({ id: over })]);
});

describe('a list', () => {
  const list = async (query: string, token = ledger.root) =>
    ((await ledger.ask('GET', `/jobs?${query}`, { token })).body['items'] as { id: string }[]).map(({ id }) => id);
  const end = (ids: readonly (string | undefined)[], state: string) =>
    ledger.rows('update sites.jobs set state = $2, finished_at = now() where id = any($1::uuid[])', [ids, state]);

  it('of failures has those of batches too, whatever became of the rest, and nothing else', async () => {
    const [good, bad, strange] = [await ledger.one(), await ledger.one(), await ledger.one()];
    const running = await ledger.orderBatch(2);
    const [sound, mended] = [await ledger.orderBatch(1), await ledger.orderBatch(1)];
    await end([good, sound.id, ...sound.children, mended.id], 'succeeded');
    await end([bad, running.children[0], ...mended.children], 'failed');
    await end([strange], 'unknown');
    await ledger.rows('update sites.jobs set retry_of = $2 where id = $1', [
      await ledger.one({ batch: mended.id }),
      mended.children[0],
    ]);
    expect(await list('state=failures')).toEqual([running.id, strange, bad]);
    expect(await list(`state=failures&batch_id=${running.id}`)).toEqual([running.children[0]]);
    expect(await list('state=failures', (await addUser(ledger.product, ledger.root)).token)).toEqual([]);
  });

  it('is read to its end, page by page', async () => {
    const ids = await ledger.order({ n: 5 });
    const all = await list('limit=200');
    expect(all.toSorted()).toEqual(ids.toSorted());
    expect(await list('limit=2')).toEqual(all.slice(0, 2));
    expect(await list(`limit=2&before=${all[1]}`)).toEqual(all.slice(2, 4));
    expect(await list(`limit=2&before=${all[3]}&state=queued`)).toEqual(all.slice(4));
    expect(await list(`before=${randomUUID()}`)).toEqual([]);
  });

  it('of a batch begins with what failed, runs or waits, on all its pages', async () => {
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

it('is passed on with the whole ledger of its owner, by no statement that could last for ever', async () => {
  const { id: person } = await addUser(ledger.product, ledger.root);
  await ledger.order({ n: 2_500 });
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

describe('what was asked for again', () => {
  const retry = async (id: string) => String((await ledger.act(id, 'retry')).body['id']);
  const refusals = async (...ids: string[]) =>
    (await Promise.all(ids.map((id) => ledger.act(id, 'retry')))).map(({ status, text }) => [status, text]);

  it('is the same while it is under way, and not done once more from wherever in its chain', async () => {
    const first = await ledger.one();
    await ledger.finish(await ledger.hold(first), 'failed');
    const second = await retry(first);
    expect(await retry(first)).toBe(second);
    await ledger.finish(await ledger.hold(second), 'failed');
    // Beside the second, not after it.
    const third = await retry(first);
    expect(await retry(first)).toBe(third);
    expect(await refusals(second)).toEqual([[409, expect.stringContaining('n’est pas terminée')]]);
    await ledger.finish(await ledger.hold(third));
    const done = [409, expect.stringContaining('relancée avec succès')];
    expect(await refusals(first, second)).toEqual([done, done]);
    const { body } = await ledger.ask('GET', '/jobs');
    expect(body['items']).toMatchObject([{ redone_by: null }, { redone_by: third }, { redone_by: third }]);
  });

  it('is not what is being called off', async () => {
    const first = await ledger.one();
    await ledger.finish(await ledger.hold(first), 'failed');
    const held = await ledger.hold(await retry(first));
    await ledger.act(held.id, 'cancel');
    expect(await refusals(first)).toEqual([[409, expect.stringContaining('s’annule encore')]]);
    await ledger.finish(held, 'cancelled');
    expect(await retry(first)).not.toBe(held.id);
  });

  it('is one, whoever asks at the same time', async () => {
    const first = await ledger.one();
    await ledger.finish(await ledger.hold(first), 'failed');
    const second = await retry(first);
    await ledger.finish(await ledger.hold(second), 'failed');
    const said = await Promise.all([first, second, first, second].map((id) => ledger.act(id, 'retry')));
    expect(said.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 200, 409, 409]);
    expect(new Set(said.flatMap(({ status, body }) => (status === 200 ? [body['id']] : []))).size).toBe(1);
  });

  it('goes where its server is by then', async () => {
    const id = await ledger.one({ lane: '10.0.0.8:2222' });
    expect(await ledger.claim(id)).toBeNull();
    expect(await ledger.claim(await retry(id))).toMatchObject({ access: { host: '10.0.0.9', port: 22 } });
  });

  it('goes where its site is by then, and is about its folders of then', async () => {
    const site = randomUUID();
    const id = await ledger.one({ lane: `${site}:0`, site });
    await ledger.rows(`update sites.jobs set input = '{"site": {"path": "/ancien"}, "content": "/ancien/wp-content"}'`);
    expect(await ledger.claim(id)).toBeNull();
    await ledger.rows(
      `update sites.sites set name = 'neuf', facts = '{"content_dir": "/srv/s/contenu"}' where id = $1`,
      [site],
    );
    const again = await retry(id);
    expect((await ledger.read(again)).body).toMatchObject({ site_id: site, site_name: 'neuf' });
    expect(await ledger.claim(again)).toMatchObject({
      access: { host: '10.0.0.9' },
      input: { site: { path: '/srv/s' }, content: '/srv/s/contenu' },
    });
  });
});

it('gives whoever follows the place up to which it was heard', async () => {
  const held = await ledger.hold(await ledger.one());
  await ledger.agent.call(noteJob, { ...held, progress: null, lines: ['a'], heard: 40 });
  await ledger.agent.call(noteJob, { ...held, progress: null, lines: ['b'], heard: 12 });
  await ledger.agent.call(releaseJob, { ...held, wait_ms: 0, reason: 'À un autre.' });
  expect(await ledger.claim(held.id, 2)).toMatchObject({ heard: 40 });
});
