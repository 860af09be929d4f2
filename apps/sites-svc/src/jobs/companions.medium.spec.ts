import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimJob, claimJobs, finishJob, type JobClaim, releaseJob, renewJobs } from '@vigie/contracts/jobs';
import { TestLedger } from '@vigie/testing/ledger';
import { until } from '@vigie/testing/until';

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await TestLedger.start();
});
afterAll(() => ledger?.stop());
beforeEach(() => ledger.rows('truncate sites.jobs cascade'));

const worker = { agent: 'a', kinds: ['trial', 'changes.update'], takes_companions: true };

/** Adds a batch with an update of each of these items of one site, in this order. */
async function addUpdates(siteId: string, ...items: readonly string[]): Promise<string[]> {
  return ledger.undispatched(async () => {
    const { id: batchId } = await ledger.orderBatch(0);
    const ids = (await ledger.insertJobs({ siteId, batchId, isExclusive: true, n: items.length })).toSorted();
    for (const [at, item] of items.entries()) {
      const [kind, slug] = item.split('.');
      await ledger.rows("update sites.jobs set kind = 'changes.update', input = $2 where id = $1", [
        ids[at],
        { item: { kind, slug, name: slug } },
      ]);
    }
    return ids;
  });
}

async function claim(id: string): Promise<JobClaim> {
  await until(() => ledger.isDispatched(id));
  const { attempts } = await ledger.rowOf(id);
  const { job } = await ledger.agent.call(claimJob, { id, attempt: attempts, ...worker });
  if (!job) throw new Error('not claimed');
  return job;
}

const statesOf = async (ids: readonly string[]) => Promise.all(ids.map(async (id) => (await ledger.rowOf(id)).state));
const finish = ({ id, fence }: { id: string; fence: number }) =>
  ledger.agent.call(finishJob, { id, fence, state: 'succeeded', result: {}, error: null });
const release = ({ id, fence }: { id: string; fence: number }, options: object = {}) =>
  ledger.agent.call(releaseJob, { id, fence, wait_ms: 0, reason: 'Plus tard.', ...options });

describe('the waiting updates of a site', () => {
  it('are given to a worker with the first of them, and take one place on their host', async () => {
    const ids = await addUpdates(randomUUID(), 'plugin.one', 'plugin.two', 'theme.three');
    const [first = '', ...others] = ids;
    const lead = await claim(first);
    expect(lead.companions.map(({ id, fence }) => [id, fence])).toEqual(others.map((id) => [id, 1]));
    expect(lead.companions[0]).toMatchObject({ was_started: false, access: lead.access });
    expect(await statesOf(ids)).toEqual(['running', 'running', 'running']);
    // The lane has three places: two more jobs find theirs beside the group.
    await ledger.insertJobs({ n: 3 });
    await until(async () => (await ledger.countDispatched('10.0.0.9:22')) === 5);
    const held = [lead, ...lead.companions].map(({ id, fence }) => ({ id, fence }));
    expect(await ledger.agent.call(renewJobs, { agent: 'a', held })).toEqual({ lost: [], cancelling: [] });
    for (const each of [...lead.companions, lead]) await finish(each);
    expect(await statesOf(ids)).toEqual(['succeeded', 'succeeded', 'succeeded']);
  });

  it('are given together where many jobs are claimed at once', async () => {
    const [first = '', second] = await addUpdates(randomUUID(), 'plugin.one', 'plugin.two');
    await until(() => ledger.isDispatched(first));
    const { jobs } = await ledger.agent.call(claimJobs, { wake_ups: [{ id: first, attempt: 1 }], ...worker });
    expect(jobs.map(({ id, companions }) => [id, companions.map((each) => each.id)])).toEqual([[first, [second]]]);
  });

  it('are left alone: WordPress itself, other sites, other requests, other kinds, and workers that do not ask', async () => {
    const siteId = randomUUID();
    const [core = '', plugin = ''] = await addUpdates(siteId, 'core.wordpress', 'plugin.two');
    await addUpdates(siteId, 'plugin.other-request');
    const other = await addUpdates(randomUUID(), 'plugin.other-site');
    await ledger.rows(
      'update sites.jobs set batch_id = (select batch_id from sites.jobs where id = $1) where id = any($2)',
      [core, other],
    );
    const claimedCore = await claim(core);
    expect(claimedCore.companions).toEqual([]);
    await finish(claimedCore);
    const claimedPlugin = await claim(plugin);
    expect(claimedPlugin.companions).toEqual([]);
    const [lead = ''] = await addUpdates(randomUUID(), 'plugin.one', 'plugin.two');
    expect(await ledger.claim(lead, undefined, worker.kinds)).toMatchObject({ companions: [] });
  });

  it('leaves out an update that was cancelled or made alone before', async () => {
    const [first = '', cancelled = '', alone = '', last = ''] = await addUpdates(
      randomUUID(),
      'plugin.one',
      'plugin.two',
      'plugin.three',
      'plugin.four',
    );
    await ledger.act(cancelled, 'cancel');
    await ledger.rows('update sites.jobs set is_alone = true where id = $1', [alone]);
    const lead = await claim(first);
    expect(lead.companions.map(({ id }) => id)).toEqual([last]);
    for (const each of [...lead.companions, lead]) await finish(each);
    expect((await claim(alone)).companions).toEqual([]);
  });
});

describe('companions', () => {
  it('rest with their lead, keep the site, and come back with it only', async () => {
    const siteId = randomUUID();
    const [first = '', second = ''] = await addUpdates(siteId, 'plugin.one', 'plugin.two');
    const lead = await claim(first);
    const [later = ''] = await addUpdates(siteId, 'plugin.later');
    for (const each of [...lead.companions, lead]) await release(each, { is_resting: true });
    const again = await claim(first);
    expect(again).toMatchObject({ was_started: true, companions: [{ id: second, was_started: true }] });
    expect([await ledger.isDispatched(later), (await ledger.rowOf(second)).attempts]).toEqual([false, 0]);
    for (const each of [...again.companions, again]) await finish(each);
    await until(() => ledger.isDispatched(later));
  });

  it('follow their lead to another worker when theirs dies', async () => {
    const [first = '', second = ''] = await addUpdates(randomUUID(), 'plugin.one', 'plugin.two');
    const dead = await claim(first);
    await ledger.expireLease(first);
    await until(async () => (await ledger.rowOf(first)).attempts === 2);
    const next = await claim(first);
    expect(next.companions.map(({ id, fence }) => [id, fence])).toEqual([[second, 2]]);
    await expect(finish(dead.companions[0] ?? dead)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('that go back to the queue are done alone', async () => {
    const ids = await addUpdates(randomUUID(), 'plugin.one', 'plugin.two');
    const lead = await claim(ids[0] ?? '');
    for (const each of [...lead.companions, lead]) await release(each, { is_untouched: true, is_alone: true });
    expect(await statesOf(ids)).toEqual(['queued', 'queued']);
    // One after the other, in any order: the second was released first.
    const dispatched = async () => {
      const are = await Promise.all(ids.map((id) => ledger.isDispatched(id)));
      return ids.filter((_, at) => are[at]);
    };
    for (const _ of ids) {
      await until(async () => (await dispatched()).length > 0);
      const [id = '', ...others] = await dispatched();
      expect(others).toEqual([]);
      const claimed = await claim(id);
      expect(claimed).toMatchObject({ was_started: false, memo: null, heard: 0, companions: [] });
      await finish(claimed);
    }
    expect(await statesOf(ids)).toEqual(['succeeded', 'succeeded']);
  });

  it('keep their lead from a worker that would leave them out', async () => {
    const [first = '', second = ''] = await addUpdates(randomUUID(), 'plugin.one', 'plugin.two');
    const lead = await claim(first);
    for (const each of [...lead.companions, lead]) await release(each, { is_resting: true });
    await until(() => ledger.isDispatched(first));
    const wakeUp = { id: first, attempt: (await ledger.rowOf(first)).attempts };
    const old = { ...worker, takes_companions: false };
    const { jobs } = await ledger.agent.call(claimJobs, { wake_ups: [wakeUp], ...old });
    const { job } = await ledger.agent.call(claimJob, { ...wakeUp, ...old });
    expect([jobs, job, await statesOf([first, second])]).toEqual([[], null, ['running', 'running']]);
  });

  it('do not come back with a lead that begins again', async () => {
    const [first = '', second = ''] = await addUpdates(randomUUID(), 'plugin.one', 'plugin.two');
    await release(await claim(first), { is_untouched: true, is_alone: true });
    await ledger.expireLease(second);
    expect((await claim(first)).companions).toEqual([]);
  });

  it('end as unknown when their lead has ended without them', async () => {
    const [first = '', second = ''] = await addUpdates(randomUUID(), 'plugin.one', 'plugin.two');
    await finish(await claim(first));
    await ledger.expireLease(second);
    await until(async () => (await ledger.rowOf(second)).state === 'unknown');
    expect((await ledger.read(second)).body).toMatchObject({
      error: { message: expect.stringContaining('son effet est inconnu') },
    });
  });
});
