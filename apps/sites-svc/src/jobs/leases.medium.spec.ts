import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { noteJob, releaseJob, renewJobs } from '@vigie/contracts/jobs';
import { TestLedger } from '@vigie/testing/ledger';
import { testServers } from '@vigie/testing/servers';
import { until } from '@vigie/testing/until';
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await TestLedger.start({ VIGIE_METRICS_PORT: '0' });
});
afterAll(() => ledger?.stop());
beforeEach(() => ledger.rows('truncate sites.jobs cascade'));

describe('a worker that died', () => {
  it('is replaced by another one, and can change nothing any more', async () => {
    const old = await ledger.hold(await ledger.one());
    await ledger.expireLease(old.id);
    await until(async () => (await ledger.rowOf(old.id)).attempts === 2);
    const next = await ledger.claim(old.id, 2);
    expect(next).toMatchObject({ fence: 2, was_started: true });
    await expect(ledger.finish(old, 'failed')).rejects.toMatchObject({ code: 'conflict' });
    await expect(ledger.agent.call(noteJob, { ...old, progress: null, lines: ['faux'] })).rejects.toMatchObject({
      code: 'conflict',
    });
    await expect(ledger.agent.call(releaseJob, { ...old, wait_ms: 0, reason: '' })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await ledger.agent.call(renewJobs, { agent: 'a', held: [old] })).toEqual({ lost: [old.id], cancelling: [] });
    const measured = await ledger.product.scrape('sites-svc');
    expect(measured).toContain('vigie_fences_refused_total{contract="sites.jobs.finish",app="sites-svc"} 1');
    expect(measured).toContain('vigie_leases_lost_total{side="ledger",app="sites-svc"} 1');
    expect(measured).toContain('vigie_jobs_open{kind="other",state="running",app="sites-svc"} 1');
    expect(measured).toMatch(/^vigie_jobs_oldest_seconds\{kind="other",state="running",app="sites-svc"\} \d/m);
    await ledger.finish({ id: old.id, fence: 2 });
    expect((await ledger.read(old.id)).body).toMatchObject({ state: 'succeeded', log: [] });
  });

  it('keeps its jobs as long as it renews them', async () => {
    const claimed = await ledger.hold(await ledger.one());
    const renewed = await ledger.undispatched(async () => {
      await ledger.expireLease(claimed.id);
      return ledger.agent.call(renewJobs, { agent: 'a', held: [claimed] });
    });
    expect(renewed).toEqual({ lost: [], cancelling: [] });
    expect(await ledger.leaseSecondsLeft(claimed.id)).toBeGreaterThan(20);
    await ledger.finish(claimed);
  });

  it('is not replaced for ever', async () => {
    const claimed = await ledger.hold(await ledger.one());
    await ledger.product.database.query('update sites.jobs set claims = 10 where id = $1', [claimed.id]);
    await ledger.expireLease(claimed.id);
    await until(async () => (await ledger.rowOf(claimed.id)).state !== 'running');
    expect((await ledger.read(claimed.id)).body).toMatchObject({
      state: 'unknown',
      error: { message: expect.any(String) },
    });
  });

  it('does not delay other jobs when its own job cannot be ended', async () => {
    const claimed = await ledger.hold(await ledger.one());
    await ledger.rows(`
      create function sites.refuse_end() returns trigger language plpgsql as 'begin raise exception ''not that one''; end';
      create trigger refuse_end before update on sites.jobs for each row
        when (new.id = '${claimed.id}' and new.state = 'unknown') execute function sites.refuse_end()`);
    try {
      await ledger.rows('update sites.jobs set claims = 10 where id = $1', [claimed.id]);
      await ledger.expireLease(claimed.id);
      await until(() => ledger.product.processesOf('sites-svc')[0]?.output.includes('could not be ended') ?? false);
      const next = await ledger.one();
      await until(() => ledger.isDispatched(next));
      expect(await ledger.rowOf(claimed.id)).toMatchObject({ state: 'running', attempts: 1 });
    } finally {
      await ledger.rows('drop function sites.refuse_end cascade');
    }
    await until(async () => (await ledger.rowOf(claimed.id)).state === 'unknown');
  });

  it('keeps a job that it renews while the dispatcher takes back lost ones', async () => {
    const claimed = await ledger.hold(await ledger.one());
    const dispatching = "hashtext('sites.dispatch')";
    const waits = `select 1 from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`;
    await ledger.rows(`select pg_advisory_lock(${dispatching})`);
    await ledger.rows('update sites.jobs set claims = 10 where id = $1', [claimed.id]);
    await ledger.expireLease(claimed.id);
    await ledger.rows('begin');
    await ledger.rows("update sites.jobs set lease_until = now() + interval '30 seconds' where id = $1", [claimed.id]);
    await ledger.rows(`select pg_advisory_unlock(${dispatching})`);
    await until(async () => (await ledger.rows(waits)).length > 0);
    await ledger.rows('commit');
    const next = await ledger.one();
    await until(() => ledger.isDispatched(next));
    expect(await ledger.rowOf(claimed.id)).toMatchObject({ state: 'running', attempts: 1, isDispatched: true });
  });

  it('may release a job that it has not finished', async () => {
    const claimed = await ledger.hold(await ledger.one());
    await ledger.agent.call(releaseJob, { ...claimed, wait_ms: 0, reason: 'Le processus s’arrête.' });
    expect(await ledger.claim(claimed.id, 2)).toMatchObject({ fence: 3, was_started: true });
    expect((await ledger.read(claimed.id)).body['log']).toEqual([
      expect.objectContaining({ text: 'Le processus s’arrête.' }),
    ]);
  });
});

describe('an attempt that no worker has claimed', () => {
  it('is queued again only when its wake-up was lost', async () => {
    const id = await ledger.one();
    await until(() => ledger.isDispatched(id));
    for (const _ of [1, 2]) {
      await ledger.expireLease(id);
      await until(async () => (await ledger.leaseSecondsLeft(id)) > 20);
    }
    expect(await ledger.rowOf(id)).toMatchObject({ attempts: 1, isDispatched: true });
    expect(await ledger.claim(id, 1)).toMatchObject({ id });
  });

  it('becomes another attempt when a worker died with its wake-up', async () => {
    const id = await ledger.one();
    const { redisUrl } = testServers();
    const connection = new Redis(redisUrl, { maxRetriesPerRequest: null });
    const prefix = `vigie:${ledger.product.keys['sites-svc'].instance}:jobs`;
    const dying = new Worker('site-ops', undefined, { connection, prefix, autorun: false });
    try {
      await until(async () => (await dying.getNextJob('dying'))?.data.id === id);
      await ledger.expireLease(id);
      await until(async () => (await ledger.rowOf(id)).attempts === 2);
      // The wake-up follows the update of the row.
      const woken: unknown[] = [];
      await until(async () => {
        const next = await dying.getNextJob('next');
        if (next) woken.push(next.data);
        return woken.length > 0;
      });
      expect(woken).toEqual([{ id, attempt: 2 }]);
      expect(await ledger.claim(id, 1)).toBeNull();
      expect(await ledger.claim(id, 2)).toMatchObject({ id });
    } finally {
      await dying.close(true);
      connection.disconnect();
    }
  });
});

describe('an ended job', () => {
  /** Inserts jobs with a log that ended this many days ago. */
  async function insertEndedJob(days: number, { batch, isBatch = false }: { batch?: string; isBatch?: boolean } = {}) {
    const id = await ledger.one({ batchId: batch });
    await ledger.rows(
      `update sites.jobs set is_batch = $2, state = 'succeeded', finished_at = now() - make_interval(days => $3) where id = $1`,
      [id, isBatch, days],
    );
    await ledger.rows("insert into sites.job_log (job_id, seq, text) values ($1, 1, 'x')", [id]);
    return id;
  }

  /** Inserts waiting jobs as a restore of Vigie leaves them. */
  async function insertRestoredJob() {
    const id = await ledger.one();
    await ledger.rows("update sites.jobs set not_before = 'infinity' where id = $1", [id]);
    return id;
  }

  const countRows = async (column: string, table: string) =>
    (await ledger.rows<{ id: string }>(`select ${column} as id from sites.${table}`)).map(({ id }) => id);

  it('is deleted after a month with its log, batches after their jobs, and the feed after a year', async () => {
    // The lock keeps jobs from being deleted before all are inserted.
    await ledger.product.processesOf('sites-svc')[0]?.kill();
    const recent = await insertEndedJob(29);
    const going = await insertEndedJob(29, { isBatch: true });
    const child = await insertEndedJob(31, { batch: going });
    for (let n = 0; n < 120; n += 1) await insertEndedJob(31);
    await insertEndedJob(31, { batch: await insertEndedJob(31, { isBatch: true }) });
    await ledger.rows(
      `delete from sites.activity; insert into sites.activity (id, type, details, created_at)
       select gen_random_uuid(), 'login', '{}', now() - make_interval(days => n) from unnest('{364,366}'::int[]) n`,
    );
    // A job that cannot be ended must not block the others.
    const [unendable = '', endable = ''] = [await insertRestoredJob(), await insertRestoredJob()].toSorted();
    await ledger.rows(
      `create function sites.stick() returns trigger language plpgsql as $$ begin raise exception 'stuck'; end $$;
       create trigger stick before update on sites.jobs for each row when (old.id = '${unendable}') execute function sites.stick();
       create trigger stick before delete on sites.outbox for each statement execute function sites.stick()`,
    );
    await ledger.product.add('sites-svc');
    await until(async () => (await countRows('id', 'jobs')).length <= 5);
    expect((await countRows('id', 'jobs')).toSorted()).toEqual([recent, going, child, unendable, endable].toSorted());
    expect(await countRows('state', "jobs where not_before = 'infinity' order by id")).toEqual(['queued', 'unknown']);
    expect(await countRows('job_id', 'job_log')).toHaveLength(3);
    expect(await countRows('created_at > now() - make_interval(days => 365)', 'activity')).toEqual([true]);
  });

  it('is listed although its error is long', async () => {
    const error = { message: 'é'.repeat(9_000), code: 'x', stderr: 'y'.repeat(30_000) };
    await ledger.insertJobs({ n: 200 });
    await ledger.rows("update sites.jobs set state = 'failed', error = $1", [JSON.stringify(error)]);
    const { status, body } = await ledger.request('GET', '/jobs?limit=200');
    const items = body['items'] as { error: object }[];
    expect([status, items.length]).toEqual([200, 200]);
    expect(items[0]?.error).toEqual({ message: expect.stringMatching(/^é{600}$/), code: 'x' });
  });
});
