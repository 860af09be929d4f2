import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestLedger } from '@vigie/testing/ledger';
import { addUser } from '@vigie/testing/people';
import { until } from '@vigie/testing/until';

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await TestLedger.start();
});
afterAll(() => ledger?.stop());
beforeEach(() => ledger.rows('truncate sites.jobs cascade'));

/** Counts the changes of a table, or of one of its rows. */
async function countsOf(batchId: string) {
  await ledger.rows(`
    drop table if exists public.counted;
    create table public.counted (what text);
    create or replace function public.count_it() returns trigger security definer language plpgsql as
      $$ begin insert into public.counted values (tg_argv[0]); return null; end $$;
    create or replace trigger settled after update on sites.jobs for each row
      when (new.id = '${batchId}') execute function public.count_it('settled');
    create or replace trigger inserted after insert on sites.jobs for each statement
      execute function public.count_it('inserted')`);
  return async () => {
    const changes = await ledger.rows<{ change: string }>('delete from public.counted returning what as change');
    const count = (name: string) => changes.filter(({ change }) => change === name).length;
    return { settled: count('settled'), inserted: count('inserted') };
  };
}

async function cancelledOf(batch: string): Promise<string> {
  const sql = "select id from sites.jobs where batch_id = $1 and state = 'cancelled' limit 1";
  return (await ledger.rows<{ id: string }>(sql, [batch]))[0]?.id ?? '';
}

describe('a batch', () => {
  it('has the state that its jobs add up to', async () => {
    const { id, children } = await ledger.orderBatch(3);
    const stateOf = async () => (await ledger.read(id)).body['state'];
    expect(await stateOf()).toBe('queued');
    const claimedJobs = await Promise.all(children.map((each) => ledger.hold(each)));
    expect(await stateOf()).toBe('running');
    await Promise.all(claimedJobs.map((each, at) => ledger.finish(each, at === 0 ? 'failed' : 'succeeded')));
    const counts = { total: 3, queued: 0, running: 0, succeeded: 2, failed: 1, cancelled: 0, unknown: 0 };
    expect((await ledger.read(id)).body).toMatchObject({ state: 'failed', counts: { ...counts, rolled_back: 0 } });
    const countRolledBack = async (error: object) => {
      await ledger.rows('update sites.jobs set error = $2 where id = $1', [children[0], error]);
      return Object((await ledger.read(id)).body['counts']).rolled_back;
    };
    expect(await countRolledBack({ message: 'non', code: 'rolled_back' })).toBe(1);
    // The site is not as it was before.
    expect(await countRolledBack({ message: 'non', code: 'rolled_back', still: 'la page est vide' })).toBe(0);
  });

  /** Creates jobs and ends each in the given state. */
  const createEndedBatch = async (states: readonly ('succeeded' | 'failed' | 'cancelled')[]) => {
    const { id, children } = await ledger.orderBatch(states.length);
    await ledger.rows(
      `update sites.jobs j set state = e.state, finished_at = now()
       from unnest($1::uuid[], $2::text[]) e(id, state) where j.id = e.id`,
      [
        [id, ...children],
        ['failed', ...states],
      ],
    );
    return { id, children };
  };
  const originsOf = async (batch: unknown) =>
    (
      await ledger.rows<{ retriedId: string }>('select retry_of as "retriedId" from sites.jobs where batch_id = $1', [
        batch,
      ])
    )
      .map(({ retriedId }) => retriedId)
      .toSorted();

  it('is retried with its failed jobs', async () => {
    const { id, children } = await createEndedBatch(['failed', 'succeeded', 'succeeded']);
    const [{ body }, retried] = await Promise.all([ledger.act(id, 'retry'), ledger.act(id, 'retry')]);
    expect(retried.body['id']).toBe(body['id']);
    expect(body).toMatchObject({ retry_of: id, state: 'queued', counts: { total: 1, queued: 1 } });
    const { items } = (await ledger.request('GET', `/jobs?batch_id=${String(body['id'])}`)).body;
    expect(items).toEqual([expect.objectContaining({ retry_of: children[0], batch_id: body['id'] })]);
  });

  it('succeeds when its failed job is retried alone and succeeds', async () => {
    const { id, children } = await ledger.orderBatch(2);
    const claimedJobs = await Promise.all(children.map((each) => ledger.hold(each)));
    await Promise.all(claimedJobs.map((each, at) => ledger.finish(each, at === 0 ? 'failed' : 'succeeded')));
    const { body } = await ledger.act(children[0] ?? '', 'retry');
    expect((await ledger.read(id)).body).toMatchObject({
      state: 'running',
      counts: { total: 2, queued: 1, failed: 0 },
    });
    await ledger.finish(await ledger.hold(String(body['id'])));
    expect((await ledger.read(id)).body).toMatchObject({ state: 'succeeded', counts: { total: 2, succeeded: 2 } });
    const retried = await ledger.act(children[0] ?? '', 'retry');
    expect([retried.status, retried.text]).toEqual([409, expect.stringContaining('relancée avec succès')]);
  });

  it('is retried without the jobs that have succeeded since, and not while a retry is open', async () => {
    const { id, children } = await createEndedBatch(['failed', 'failed', 'succeeded']);
    const second = (await ledger.act(id, 'retry')).body['id'];
    expect(await originsOf(second)).toEqual(children.slice(0, 2).toSorted());
    expect((await ledger.act(id, 'retry')).body['id']).toBe(second);
    const end = (state: string, retriedId: string | undefined) =>
      ledger.rows(
        `update sites.jobs set state = $1, finished_at = now() where retry_of = $2 or (id = $3 and $1 = 'failed')`,
        [state, retriedId, second],
      );
    await end('succeeded', children[0]);
    await end('failed', children[1]);
    const third = (await ledger.act(id, 'retry')).body['id'];
    expect(await originsOf(third)).toEqual([children[1]]);
    await ledger.rows("update sites.jobs set state = 'succeeded', finished_at = now() where batch_id = $1 or id = $1", [
      third,
    ]);
    for (const batch of [id, second]) {
      const done = await ledger.act(String(batch), 'retry');
      expect([done.status, done.text]).toEqual([409, expect.stringContaining('relancé avec succès')]);
    }
  });

  it('is retried with its cancelled jobs only when none has failed', async () => {
    const partlyFailed = await createEndedBatch(['cancelled', 'failed', 'cancelled', 'succeeded']);
    const { id: retried } = (await ledger.act(partlyFailed.id, 'retry')).body;
    expect(await originsOf(retried)).toEqual([partlyFailed.children[1]]);
    await ledger.rows("update sites.jobs set state = 'succeeded', finished_at = now() where batch_id = $1 or id = $1", [
      retried,
    ]);
    const done = await ledger.act(partlyFailed.id, 'retry');
    expect([done.status, done.text]).toEqual([
      409,
      expect.stringContaining('annulée se relance depuis sa propre ligne'),
    ]);
    expect((await ledger.act(partlyFailed.children[0] ?? '', 'retry')).status).toBeLessThan(300);
    const cancelledBatch = await createEndedBatch(['cancelled', 'succeeded', 'cancelled']);
    expect((await ledger.act(cancelledBatch.id, 'retry')).body).toMatchObject({ counts: { total: 2 } });
  });

  it('is retried without the work that another job does, of which no two are open', async () => {
    const batch = await createEndedBatch(['failed', 'failed']);
    const name = (id: string, folder: string) =>
      ledger.rows(
        `update sites.jobs set kind = 'backups.verify', input = jsonb_build_object('filename', $2::text) where id = $1`,
        [id, folder],
      );
    const [first = '', second = ''] = batch.children;
    await name(first, 'a.wpress');
    await name(second, 'b.wpress');
    const other = await ledger.one();
    await ledger.hold(other);
    await name(other, 'a.wpress');
    await expect(name(await ledger.one(), 'a.wpress')).rejects.toThrow('jobs_unique_work');
    const { status, text } = await ledger.act(first, 'retry');
    expect([status, text]).toEqual([409, expect.stringContaining('Une autre tâche fait déjà ce travail')]);
    const { body } = await ledger.act(batch.id, 'retry');
    expect(await ledger.rows('select retry_of from sites.jobs where batch_id = $1', [body['id']])).toEqual([
      { retry_of: second },
    ]);
    // A running job gives its work up as soon as its cancellation is requested.
    await ledger.act(other, 'cancel');
    expect((await ledger.act(first, 'retry')).status).toBeLessThan(300);
  });

  it('is cancelled with all its jobs', async () => {
    const { id } = await ledger.orderBatch(5);
    await until(async () => (await ledger.countDispatched('10.0.0.9:22')) === 3);
    const [dispatched] = await ledger.rows<{ id: string }>(
      'select id from sites.jobs where batch_id = $1 and dispatched_at is not null',
      [id],
    );
    const claimedJob = await ledger.hold(dispatched?.id ?? '');
    expect((await ledger.act(id, 'cancel')).body).toMatchObject({
      state: 'running',
      is_cancelling: true,
      counts: { cancelled: 4, running: 1 },
    });
    const retried = String((await ledger.act(await cancelledOf(id), 'retry')).body['id']);
    expect((await ledger.read(id)).body).toMatchObject({ state: 'running', is_cancelling: false });
    await ledger.act(retried, 'cancel');
    expect((await ledger.read(id)).body).toMatchObject({ state: 'running', is_cancelling: true });
    await ledger.finish(claimedJob, 'cancelled');
    expect((await ledger.read(id)).body).toMatchObject({ state: 'cancelled', is_cancelling: false });
  });

  it('stays queued until one of its jobs begins, even when another has ended', async () => {
    const { id, children } = await ledger.orderBatch(2);
    await ledger.act(children[0] ?? '', 'cancel');
    expect((await ledger.read(id)).body).toMatchObject({ state: 'queued', started_at: null });
    await ledger.finish(await ledger.hold(children[1] ?? ''));
    expect((await ledger.read(id)).body).toMatchObject({ state: 'cancelled', started_at: expect.any(String) });
  });

  it('does not let its owner touch the jobs of other owners', async () => {
    const { token, id: client } = await addUser(ledger.product, ledger.root);
    const act = (jobId: string, verb: string) => ledger.request('POST', `/jobs/${jobId}/${verb}`, { token });
    const { id, children } = await ledger.orderBatch(2);
    await ledger.rows('update sites.jobs set owner_id = $2 where id = any($1::uuid[])', [[id, children[0]], client]);
    const { body } = await act(id, 'cancel');
    expect(body).toMatchObject({ state: 'queued', is_cancelling: false });
    expect(await Promise.all(children.map(async (child) => (await ledger.rowOf(child)).state))).toEqual([
      'cancelled',
      'queued',
    ]);
    await ledger.rows("update sites.jobs set state = 'cancelled' where batch_id = $1 or id = $1", [id]);
    const retried = String((await act(id, 'retry')).body['id']);
    expect(await ledger.rows('select retry_of from sites.jobs where batch_id = $1', [retried])).toEqual([
      { retry_of: children[0] },
    ]);
  });

  it('over several owners shows each of them their own jobs', async () => {
    const { token, id: client } = await addUser(ledger.product, ledger.root);
    await ledger.createServer(client, { name: 'du client' });
    const clientCall = { token };
    const rootCall = { token: ledger.root };
    const all = { ...rootCall, headers: { 'x-admin-mode': '1' } };
    const list = async (caller: typeof clientCall, query = '') =>
      (await ledger.request('GET', `/jobs${query}`, caller)).body['items'] as { id: string }[];
    const answer = await ledger.request('POST', '/servers/test', { ...all, body: {} });
    const batch = String(answer.body['job_id']);
    const line = expect.objectContaining({ server_name: 'du client', batch_id: null });
    for (const query of ['', '?state=open', '?state=queued']) expect(await list(clientCall, query)).toEqual([line]);
    const [ownJob] = await list(clientCall);
    expect(await ledger.request('GET', `/jobs/${ownJob?.id}`, clientCall)).toMatchObject({
      body: { batch_id: null },
    });
    expect(await list(clientCall, `?before=${ownJob?.id}`)).toEqual([]);
    expect(await list(all)).toMatchObject([{ id: batch, counts: { total: 2 }, targets: { count: 2 } }]);
    const own = { name: 'web', count: 1, site_id: null, server_id: ledger.server.id };
    expect(await list(rootCall)).toMatchObject([{ id: batch, counts: { total: 1 }, targets: own }]);
    await ledger.rows(
      `update sites.jobs set state = case when id = any($1::uuid[]) then 'failed' else 'succeeded' end, finished_at = now()`,
      [[ownJob?.id, batch]],
    );
    expect(await list(clientCall, '?state=failures')).toEqual([line]);
    expect(await list(all, '?state=failures')).toMatchObject([{ id: batch, counts: { failed: 1 } }]);
    expect(await list(rootCall, '?state=failures')).toEqual([]);
    expect(await list(rootCall)).toMatchObject([{ id: batch, counts: { total: 1, succeeded: 1, failed: 0 } }]);
    const { body } = await ledger.request('POST', `/jobs/${batch}/retry`, all);
    expect(await list(clientCall, '?state=open')).toMatchObject([{ retry_of: ownJob?.id, batch_id: null }]);
    await ledger.rows('delete from sites.jobs where batch_id = $1 and retry_of is not null', [body['id']]);
    expect(await list(rootCall, '?state=open')).toMatchObject([{ id: body['id'], counts: { total: 0, failed: 0 } }]);
  });

  it('of five hundred jobs is cancelled and retried as a whole', async () => {
    const { id } = await ledger.orderBatch(500);
    const count = await countsOf(id);
    expect((await ledger.act(id, 'cancel')).body).toMatchObject({ state: 'cancelled', counts: { cancelled: 500 } });
    expect(await count()).toEqual({ settled: 1, inserted: 0 });
    const retried = (await ledger.act(id, 'retry')).body;
    expect(retried).toMatchObject({ state: 'queued', counts: { total: 500, queued: 500 } });
    expect(await count()).toEqual({ settled: 0, inserted: 2 });
  });

  it('tests all servers that the caller may see, in one statement', async () => {
    await ledger.rows(
      `insert into sites.servers (id, owner_id, name, host, port, login, provider, type, credential, method, public_key)
       select gen_random_uuid(), owner_id, 'web ' || n, host, port, login, provider, type, credential, method, public_key
       from sites.servers, generate_series(1, 599) n`,
    );
    const count = await countsOf(ledger.server.id);
    const answer = await ledger.request('POST', '/servers/test', { body: {} });
    expect(await count()).toEqual({ settled: 0, inserted: 1 });
    const id = String(answer.body['job_id']);
    expect((await ledger.read(id)).body).toMatchObject({ kind: 'servers.test', counts: { total: 600, queued: 600 } });
    expect((await ledger.act(id, 'cancel')).body).toMatchObject({ state: 'cancelled' });
  });
});
