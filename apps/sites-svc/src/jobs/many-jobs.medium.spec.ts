import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Input } from '@vigie/contracts/contract';
import { claimJobs, finishJobs } from '@vigie/contracts/jobs';
import { type ClaimedJobRef, TestLedger } from '@vigie/testing/ledger';
import { until } from '@vigie/testing/until';

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await TestLedger.start();
});
afterAll(() => ledger?.stop());
beforeEach(() => ledger.rows('truncate sites.jobs cascade'));

/** Inserts jobs that do not wait for each other, and waits until a worker can claim them. */
async function dispatchJobs(n: number): Promise<string[]> {
  const ids = await ledger.insertJobs({ n: 3 });
  while (ids.length < n) ids.push(await ledger.one({ queue: 'site-looks', lane: '10.0.0.9:22 look' }));
  await untilDispatched(ids);
  return ids.toSorted();
}

const untilDispatched = async (ids: readonly string[]) => {
  for (const id of ids) await until(() => ledger.isDispatched(id));
};

const claimMany = async (ids: readonly string[], attempt = 1) => {
  const wakeUps = ids.map((id) => ({ id, attempt }));
  const { jobs } = await ledger.agent.call(claimJobs, {
    wake_ups: wakeUps,
    agent: 'a',
    kinds: ['trial', 'servers.test'],
  });
  return jobs.toSorted((a, b) => (a.id < b.id ? -1 : 1));
};

const hold = async (n: number): Promise<ClaimedJobRef[]> =>
  (await claimMany(await dispatchJobs(n))).map(({ id, fence }) => ({ id, fence }));

type JobEnd = Input<typeof finishJobs>['ends'][number];

/** Ends these jobs, which have succeeded unless `ends` says otherwise. */
const end = (refs: readonly (ClaimedJobRef | undefined)[], ends: Record<string, Partial<JobEnd>> = {}) =>
  ledger.agent.call(finishJobs, {
    ends: refs
      .flatMap((ref) => ref ?? [])
      .map((ref): JobEnd => ({ ...ref, state: 'succeeded', result: { n: 1 }, error: null, ...ends[ref.id] })),
  });

const stateOf = async (id: string) => (await ledger.rowOf(id)).state;

/** Runs work while another transaction has locked a row of the ledger. */
async function whileLocked<T>(id: string | undefined, work: () => Promise<T>): Promise<T> {
  await ledger.rows('begin');
  await ledger.rows('select from sites.jobs where id = $1 for update', [id]);
  try {
    return await work();
  } finally {
    await ledger.rows('rollback');
  }
}

describe('a claim of many attempts', () => {
  it('gives each of them once, whoever asks at the same time', async () => {
    const ids = await dispatchJobs(5);
    const claims = await Promise.all([1, 2, 3, 4].map(() => claimMany(ids)));
    const alone = await Promise.all(ids.map((id) => ledger.claim(id, 1)));
    const claimed = [...claims.flat(), ...alone.flatMap((job) => job ?? [])];
    expect(claimed.map(({ id }) => id).toSorted()).toEqual(ids);
    expect(claimed.map(({ fence, was_started: wasStarted }) => [fence, wasStarted])).toEqual(ids.map(() => [1, false]));
  });

  it('gives what a claim alone would give', async () => {
    const [first = '', second = ''] = await dispatchJobs(2);
    const [many] = await claimMany([first]);
    const alone = await ledger.claim(second, 1);
    expect({ ...many, id: '' }).toEqual({ ...alone, id: '' });
    const columns = 'state, fence, claims, tries, claimed_attempt, agent, access, passings';
    const rows = await ledger.rows(`select distinct ${columns} from sites.jobs where fence = 1`);
    expect(rows).toEqual([expect.objectContaining({ state: 'running', claims: 1, tries: 1, claimed_attempt: 1 })]);
  });

  it('leaves out what must be claimed alone: over, moved, of an unknown kind, of another attempt', async () => {
    const [good = '', over = '', moved = '', unknownKind = '', other = ''] = await dispatchJobs(5);
    await ledger.act(over, 'cancel');
    await ledger.rows("update sites.jobs set lane = '10.0.0.8:22' where id = $1", [moved]);
    await ledger.rows("update sites.jobs set kind = 'newer' where id = $1", [unknownKind]);
    await ledger.rows('update sites.jobs set attempts = 2 where id = $1', [other]);
    expect((await claimMany([good, over, moved, unknownKind, other])).map(({ id }) => id)).toEqual([good]);
    expect(await stateOf(moved)).toBe('queued');
    expect(await ledger.claim(moved, 1)).toBeNull();
    expect(await stateOf(moved)).toBe('failed');
  });

  it('does not wait for a job that another transaction holds', async () => {
    const ids = await dispatchJobs(3);
    expect(await whileLocked(ids[1], () => claimMany(ids))).toEqual([]);
    expect((await claimMany(ids)).map(({ id }) => id)).toEqual(ids);
  });

  it('claims nothing when the answer would be too large', async () => {
    const ids = await dispatchJobs(3);
    const input = JSON.stringify({ text: 'x'.repeat(300_000) });
    await ledger.rows('update sites.jobs set input = $1 where id = any($2::uuid[])', [input, ids]);
    expect(await claimMany(ids)).toEqual([]);
    expect(await ledger.claim(ids[0] ?? '', 1)).toMatchObject({ fence: 1 });
  });
});

describe('an end of many jobs', () => {
  it('ends each as an end alone does', async () => {
    const refs = await hold(4);
    const [first, ...others] = refs;
    expect(await end(others)).toEqual({ ended: others.map(({ id }) => id) });
    await ledger.finish(first ?? { id: '', fence: 0 });
    const columns = 'state, result, error, access, dispatched_at, lease_until, finished_at is not null as is_over';
    expect(await ledger.rows(`select distinct ${columns} from sites.jobs`)).toEqual([
      {
        state: 'succeeded',
        result: { n: 1 },
        error: null,
        access: null,
        dispatched_at: null,
        lease_until: null,
        is_over: true,
      },
    ]);
  });

  it('leaves out a job that another worker has, and ends its neighbours', async () => {
    const [lost, ...others] = await hold(3);
    if (!lost) throw new Error('no job');
    await ledger.expireLease(lost.id);
    await until(async () => (await ledger.rowOf(lost.id)).attempts === 2);
    expect(await claimMany([lost.id], 2)).toMatchObject([{ fence: 2, was_started: true }]);
    expect((await end([lost, ...others])).ended).toEqual(others.map(({ id }) => id));
    expect(await stateOf(lost.id)).toBe('running');
  });

  it('leaves out jobs from whose end more follows', async () => {
    const ids = await dispatchJobs(3);
    await ledger.rows("update sites.jobs set kind = 'servers.test' where id = $1", [ids[0]]);
    const claimed = await claimMany(ids);
    expect(claimed.map((job) => job.can_end_together)).toEqual([false, true, true]);
    const [test, failed, plain] = claimed.map(({ id, fence }) => ({ id, fence }));
    const { ended } = await end([test, failed, plain], {
      [failed?.id ?? '']: { state: 'failed', error: { message: 'non' } },
    });
    expect(ended).toEqual([plain?.id]);
  });

  it('ends nothing when one of them cannot be stored, so that each can be ended alone', async () => {
    const refs = await hold(3);
    await ledger.rows(`
      create function sites.refuse_end() returns trigger language plpgsql as 'begin raise exception ''not that one''; end';
      create trigger refuse_end before update on sites.jobs for each row
        when (new.id = '${refs[1]?.id}' and new.state = 'succeeded') execute function sites.refuse_end()`);
    try {
      expect(await end(refs)).toEqual({ ended: [] });
      expect(await stateOf(refs[0]?.id ?? '')).toBe('running');
      await ledger.finish(refs[0] ?? { id: '', fence: 0 });
    } finally {
      await ledger.rows('drop function sites.refuse_end cascade');
    }
    expect(await stateOf(refs[0]?.id ?? '')).toBe('succeeded');
  });

  it('does not wait for a job that another transaction holds', async () => {
    const refs = await hold(3);
    expect(await whileLocked(refs[1]?.id, () => end(refs))).toEqual({ ended: [] });
    expect((await end(refs)).ended).toHaveLength(3);
  });

  it('keeps whatever bytes a host printed', async () => {
    const [first, second] = await hold(2);
    await end([first, second], { [first?.id ?? '']: { result: { text: 'a\0b\uD83D' } } });
    expect((await ledger.read(first?.id ?? '')).body).toMatchObject({ state: 'succeeded', result: { text: 'ab' } });
  });

  it('settles the batches of the jobs, as their claims do', async () => {
    const batches = [await ledger.orderBatch(1), await ledger.orderBatch(2)];
    const ids = batches.flatMap(({ children }) => children);
    await untilDispatched(ids);
    const refs = (await claimMany(ids)).map(({ id, fence }) => ({ id, fence }));
    expect(await Promise.all(batches.map(({ id }) => stateOf(id)))).toEqual(['running', 'running']);
    await end(refs.filter(({ id }) => id !== ids[1]));
    expect(await Promise.all(batches.map(({ id }) => stateOf(id)))).toEqual(['succeeded', 'running']);
  });
});
