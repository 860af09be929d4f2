import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { releaseJob } from '@vigie/contracts/jobs';
import { TestLedger } from '@vigie/testing/ledger';
import { TestQueues } from '@vigie/testing/queues';
import { until } from '@vigie/testing/until';
import { parseAllDocuments } from 'yaml';

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await TestLedger.start();
});
afterAll(() => ledger?.stop());
beforeEach(() => ledger.rows('truncate sites.jobs cascade'));

describe('a lane', () => {
  it('has three places, and does not delay other lanes', async () => {
    await ledger.insertJobs({ lane: 'busy:22', n: 50 });
    await until(async () => (await ledger.countDispatched('busy:22')) === 3);
    const id = await ledger.one();
    await until(() => ledger.isDispatched(id));
    expect(await ledger.countDispatched('busy:22')).toBe(3);
  });

  it('starts the oldest waiting job when one ends', async () => {
    const ids = await ledger.undispatched(async () => {
      const jobIds = await ledger.insertJobs({ n: 4 });
      await ledger.rows("update sites.jobs set created_at = created_at + interval '1 s' where id = $1", [jobIds[3]]);
      return jobIds;
    });
    const claimedJob = await ledger.hold(ids[0] ?? '');
    expect(await ledger.isDispatched(ids[3] ?? '')).toBe(false);
    await ledger.finish(claimedJob);
    await until(() => ledger.isDispatched(ids[3] ?? ''));
  });

  it('runs one heavy job at a time, and a site one exclusive job', async () => {
    await ledger.insertJobs({ lane: 'heavy:22', isHeavy: true, n: 3 });
    const siteId = randomUUID();
    await ledger.insertJobs({ lane: 'a:22', siteId, isExclusive: true, n: 2 });
    await ledger.insertJobs({ lane: 'b:22', siteId, isExclusive: true });
    const last = await ledger.one({ lane: 'last:22' });
    await until(() => ledger.isDispatched(last));
    const [dispatched] = await ledger.rows<{ n: number }>(
      'select count(*)::int as n from sites.jobs where site_id = $1 and dispatched_at is not null',
      [siteId],
    );
    expect([await ledger.countDispatched('heavy:22'), dispatched?.n]).toEqual([1, 1]);
  });

  it('keeps the place of a begun job while its host is away', async () => {
    const siteId = randomUUID();
    const begunJob = await ledger.hold(await ledger.one({ siteId, isExclusive: true, isHeavy: true }));
    await ledger.agent.call(releaseJob, { ...begunJob, wait_ms: 3_600_000, reason: 'Le serveur ne répond pas.' });
    const sameSite = await ledger.one({ lane: 'other:22', siteId, isExclusive: true });
    const sameWeight = await ledger.one({ isHeavy: true });
    await ledger.insertJobs({ n: 5 });
    await until(async () => (await ledger.countDispatched('10.0.0.9:22')) === 2);
    expect([await ledger.isDispatched(sameSite), await ledger.isDispatched(sameWeight)]).toEqual([false, false]);
    await ledger.rows('update sites.jobs set not_before = now() where id = $1', [begunJob.id]);
    await until(() => ledger.isDispatched(begunJob.id));
  });

  it('continues a begun job before older jobs that have not begun', async () => {
    const begunJobs = [
      await ledger.hold(await ledger.one({ isHeavy: true })),
      await ledger.hold(await ledger.one()),
      await ledger.hold(await ledger.one()),
    ];
    const older = [await ledger.one({ isHeavy: true }), ...(await ledger.insertJobs({ n: 3 }))];
    await ledger.rows("update sites.jobs set created_at = created_at - interval '1 hour' where id = any($1)", [older]);
    await ledger.undispatched(async () => {
      for (const claimedJob of begunJobs)
        await ledger.agent.call(releaseJob, { ...claimedJob, wait_ms: 0, reason: 'Le processus s’arrête.' });
    });
    await until(async () => (await ledger.countDispatched('10.0.0.9:22')) === 3);
    const dispatched = await ledger.rows<{ id: string }>('select id from sites.jobs where dispatched_at is not null');
    expect(dispatched.map(({ id }) => id).toSorted()).toEqual(begunJobs.map(({ id }) => id).toSorted());
  });

  it('begins no heavy job beside a begun heavy job that waits', async () => {
    const begunJob = await ledger.hold(await ledger.one({ isHeavy: true }));
    const heavy = await ledger.undispatched(async () => {
      await ledger.agent.call(releaseJob, { ...begunJob, wait_ms: 0, reason: 'Le processus s’arrête.' });
      // Another exclusive job of the same site blocks this one.
      const siteId = randomUUID();
      const other = await ledger.one({ lane: 'b:22', siteId, isExclusive: true });
      const busy =
        "state = 'running', dispatched_at = now(), lease_until = now() + interval '1 hour', claimed_attempt = attempts";
      await ledger.rows(`update sites.jobs set ${busy} where id = $1`, [other]);
      await ledger.rows('update sites.jobs set site_id = $2, is_exclusive = true where id = $1', [begunJob.id, siteId]);
      return ledger.one({ isHeavy: true });
    });
    const light = await ledger.one();
    await until(() => ledger.isDispatched(light));
    expect([await ledger.isDispatched(begunJob.id), await ledger.isDispatched(heavy)]).toEqual([false, false]);
  });

  it('goes on with other work while commands wait for one another', async () => {
    await ledger.insertJobs({ lane: 'commands:22', queue: 'site-commands', isHeavy: true, n: 50 });
    await until(async () => (await ledger.countDispatched('commands:22')) === 1);
    const restore = await ledger.one({ lane: 'commands:22', queue: 'site-transfers', isHeavy: true });
    const update = await ledger.one({ lane: 'commands:22' });
    for (const id of [restore, update]) await until(() => ledger.isDispatched(id));
    expect(await ledger.countDispatched('commands:22')).toBe(3);
  });

  it('waits only for its own queue', async () => {
    await ledger.insertJobs({ lane: 'slow-', hasOwnLane: true, queue: 'site-transfers', n: 600 });
    const dispatched = "select 1 from sites.jobs where dispatched_at is not null and queue = 'site-transfers'";
    await until(async () => (await ledger.rows(dispatched)).length === 500);
    const id = await ledger.one();
    expect(await ledger.claim(id)).toMatchObject({ id });
  });

  it('puts a begun job before the jobs that fill its queue', async () => {
    const begunJob = await ledger.hold(await ledger.one());
    await ledger.insertJobs({ lane: 'full-', hasOwnLane: true, n: 600 });
    const untaken = "select 1 from sites.jobs where dispatched_at is not null and lane like 'full-%'";
    await until(async () => (await ledger.rows(untaken)).length === 500);
    await ledger.agent.call(releaseJob, { ...begunJob, wait_ms: 0, reason: 'Le processus s’arrête.' });
    await until(() => ledger.isDispatched(begunJob.id));
    const queues = new TestQueues(ledger.product);
    let next: string | undefined;
    await until(async () => (next = await queues.nextIn('site-ops')) === begunJob.id);
    queues.stop();
    expect(next).toBe(begunJob.id);
  });

  it('may be a hundred thousand jobs long, with few in Redis, even when statistics are stale', async () => {
    await ledger.insertJobs({ lane: 'long:22', n: 100_000 });
    await ledger.insertJobs({ lane: 'wide-', hasOwnLane: true, n: 2_000 });
    // Statistics as `analyze` leaves them while a large batch is not committed yet.
    await ledger.rows(
      `update pg_class set relpages = pg_relation_size(oid) / 8192, reltuples = 0
       where 'sites.jobs'::regclass in (oid, (select indrelid from pg_index where indexrelid = pg_class.oid))`,
    );
    const countDispatched = async () =>
      (await ledger.rows('select 1 from sites.jobs where dispatched_at is not null')).length;
    await until(async () => (await countDispatched()) >= 500);
    expect(await countDispatched()).toBe(500);
    expect(await ledger.countDispatched('long:22')).toBeLessThanOrEqual(3);
    expect((await ledger.request('GET', '/jobs?limit=5')).body['items']).toHaveLength(5);
  });
});

describe('the number of runnable jobs', () => {
  const manifest = (name: string) =>
    readFileSync(new URL(`../../../../k8s/components/autoscaling/${name}`, import.meta.url), 'utf8');
  const [scaledObject] = parseAllDocuments(manifest('ssh-agent.yaml')).map((document) => document.toJS());
  const sql: string = scaledObject.spec.triggers[0].metadata.query;
  let reader: string;
  beforeAll(async () => {
    const [here] = await ledger.rows<{ name: string }>('select current_database() as name');
    reader = `${here?.name}_reader`;
    const grants = manifest('ledger-reader.sql')
      .replaceAll('vigie_ledger_reader', reader)
      .replace(":'password'", "'x'");
    await ledger.rows(grants);
  });
  afterAll(() => ledger.rows(`drop owned by ${reader}; drop role ${reader}`));
  // The lock keeps the dispatcher from queueing jobs.
  beforeEach(() => ledger.rows("select pg_advisory_lock(hashtext('sites.dispatch'))"));
  afterEach(async () => {
    await ledger.rows('reset role');
    await ledger.rows("select pg_advisory_unlock(hashtext('sites.dispatch'))");
  });

  const asReader = async <T>(question: string) => {
    await ledger.rows(`set role ${reader}`);
    const rows = await ledger.rows<T>(question);
    await ledger.rows('reset role');
    return rows;
  };
  const count = async () => Number((await asReader<{ runnable: string }>(sql))[0]?.runnable);
  const updateJobs = (ids: string[], how: string) =>
    ledger.rows(`update sites.jobs set ${how} where id = any($1)`, [ids]);
  const claimedSql =
    "dispatched_at = now(), lease_until = now() + interval '1 hour', attempts = 1, claimed_attempt = 1";
  const laterSql = "not_before = now() + interval '1 hour'";

  it('is zero without jobs', async () => {
    expect(await count()).toBe(0);
  });

  it.each([
    ['three of a lane, however many wait', 3, async () => ledger.insertJobs({ n: 50 })],
    ['one of each lane', 2, async () => [await ledger.one({ lane: 'a:22' }), await ledger.one({ lane: 'b:22' })]],
    [
      'the running jobs and the free places of their lane',
      3,
      async () => {
        const ids = await ledger.insertJobs({ n: 5 });
        await updateJobs(ids.slice(0, 2), `state = 'running', ${claimedSql}`);
      },
    ],
    [
      'all running jobs',
      4,
      async () => updateJobs(await ledger.insertJobs({ n: 4 }), `state = 'running', ${claimedSql}`),
    ],
    ['the queued job that waits for a claim', 1, async () => updateJobs([await ledger.one()], claimedSql)],
    ['no job before its time', 0, async () => updateJobs(await ledger.insertJobs({ n: 4 }), laterSql)],
    [
      'no place that a begun job keeps',
      1,
      async () => {
        const ids = await ledger.insertJobs({ n: 6 });
        await updateJobs(ids.slice(0, 2), `state = 'running', ${laterSql}`);
      },
    ],
    [
      'the place of a resting job',
      3,
      async () => {
        const ids = await ledger.insertJobs({ n: 6 });
        await updateJobs(ids.slice(0, 2), `state = 'running', is_resting = true, ${laterSql}`);
      },
    ],
    ['the children of a batch, not the batch', 2, async () => ledger.orderBatch(2)],
    [
      'no ended job',
      0,
      async () => {
        for (const state of ['succeeded', 'failed', 'cancelled', 'unknown'])
          await updateJobs(await ledger.insertJobs({ n: 2 }), `state = '${state}', finished_at = now()`);
      },
    ],
  ] as const)('is %s: %i', async (_, n, prepare) => {
    await prepare();
    expect(await count()).toBe(n);
  });

  it('uses the indexes of the lanes, whatever the number of ended jobs', async () => {
    const endedJobs = await ledger.insertJobs({ lane: 'over:22', n: 20_000 });
    await updateJobs(endedJobs, "state = 'succeeded', finished_at = now()");
    await ledger.insertJobs({ lane: 'long:22', n: 5_000 });
    await ledger.insertJobs({ lane: 'short:22', n: 2 });
    await ledger.rows('analyze sites.jobs');
    expect(await count()).toBe(5);
    const [plan] = await ledger.rows<object>(`explain (analyze, format json) ${sql}`);
    const nodes = [...JSON.stringify(plan).matchAll(/"(?:Node Type|Index Name)":"([^"]*)"/g)].map(([, name]) => name);
    expect(nodes).not.toContain('Seq Scan');
    const indexes = nodes.filter((name) => name?.startsWith('jobs_'));
    expect(new Set(indexes)).toEqual(new Set(['jobs_waiting', 'jobs_busy', 'jobs_paused']));
    expect(
      Math.max(...[...JSON.stringify(plan).matchAll(/"Actual Rows":(\d+)/g)].map(([, rows]) => Number(rows))),
    ).toBeLessThan(10);
  });

  it('is all that the role of its reader may read', async () => {
    await ledger.one();
    await expect(asReader('select input from sites.jobs')).rejects.toThrow(/permission denied/);
    await ledger.rows('reset role');
    await expect(asReader('update sites.jobs set lane = lane')).rejects.toThrow(/permission denied/);
    await ledger.rows('reset role');
    await expect(asReader('select 1 from sites.servers')).rejects.toThrow(/permission denied/);
  });

  it('uses the same number of places in a lane as the dispatcher', () => {
    const dispatcher = readFileSync(new URL('dispatcher.ts', import.meta.url), 'utf8');
    expect(sql).toContain(`greatest(0, ${/const laneCap = (\d+)/.exec(dispatcher)?.[1]} - `);
  });
});

it('gives a job the current folders of its site when it is claimed', async () => {
  const siteId = randomUUID();
  const id = await ledger.one({ lane: '10.0.0.9:22', siteId });
  await ledger.rows(`update sites.jobs set input = '{"site": {"path": "/ancien"}, "content": "/ancien/wp-content"}'`);
  const job = await ledger.claim(id);
  expect(job?.input).toMatchObject({ site: { path: '/srv/s' }, content: null });
});
