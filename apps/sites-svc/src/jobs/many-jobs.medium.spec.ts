import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimJobs } from '@vigie/contracts/jobs';
import { TestLedger } from '@vigie/testing/ledger';
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

  it('claims only as many as one answer can carry', async () => {
    const ids = await dispatchJobs(3);
    const input = JSON.stringify({ text: 'x'.repeat(300_000) });
    await ledger.rows('update sites.jobs set input = $1 where id = any($2::uuid[])', [input, ids]);
    const claimed = (await claimMany(ids)).map(({ id }) => id);
    expect(claimed).toHaveLength(2);
    const left = ids.filter((id) => !claimed.includes(id));
    expect(await Promise.all(left.map(stateOf))).toEqual(['queued']);
  });

  it('leaves out a job that no answer can carry, and gives its neighbours', async () => {
    const [good = '', bad = '', other = ''] = await dispatchJobs(3);
    await ledger.rows("update sites.jobs set traceparent = repeat('0', 60) where id = $1", [bad]);
    expect((await claimMany([good, bad, other])).map(({ id }) => id)).toEqual([good, other]);
    expect(await stateOf(bad)).toBe('queued');
  });

  it('starts the batches of the jobs', async () => {
    const batches = [await ledger.orderBatch(1), await ledger.orderBatch(2)];
    const ids = batches.flatMap(({ children }) => children);
    await untilDispatched(ids);
    expect(await claimMany(ids)).toHaveLength(3);
    expect(await Promise.all(batches.map(({ id }) => stateOf(id)))).toEqual(['running', 'running']);
  });
});

it('lets a note with log lines end while the end of the same job waits for it', async () => {
  const { children } = await ledger.orderBatch(1);
  await untilDispatched(children);
  const [job] = await claimMany(children);
  if (!job) throw new Error('no job');
  // As a note does: its second update checks again that the batch exists.
  await ledger.rows('begin');
  await ledger.rows("update sites.jobs set progress = '{}' where id = $1", [job.id]);
  const end = ledger.finish(job);
  await until(async () => (await ledger.rows('select from pg_locks where not granted')).length > 0);
  await ledger.rows('update sites.jobs set log_seq = log_seq where id = $1', [job.id]);
  await ledger.rows('commit');
  await end;
  expect(await stateOf(job.id)).toBe('succeeded');
});
