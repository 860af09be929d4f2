import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { TestLedger } from '@vigie/testing/ledger';
import { addUser } from '@vigie/testing/people';

let ledger: TestLedger;
let client: { id: string; token: string };
beforeAll(async () => {
  ledger = await TestLedger.start();
  client = await addUser(ledger.product, ledger.root);
});
afterAll(() => ledger?.stop());
beforeEach(() => ledger.rows('truncate sites.jobs cascade'));

const acknowledge = async (ids: readonly string[], token = ledger.root) => {
  const { status, body } = await ledger.request('POST', '/jobs/acknowledge', { token, body: { ids } });
  return [status, body['acknowledged']];
};
const end = (ids: readonly string[], state: string) =>
  ledger.rows('update sites.jobs set state = $2, finished_at = now() where id = any($1::uuid[])', [ids, state]);
const acknowledgedOf = async (id: string) => (await ledger.read(id)).body['acknowledged'];
const failures = async () => {
  const { body } = await ledger.request('GET', '/jobs?state=failures');
  return (body['items'] as { id: string }[]).map(({ id }) => id);
};
type FailedLine = { kind: string; count: number; worst: { is_undone: boolean }[] };
const failedLine = async () => {
  const { body } = await ledger.request('GET', '/dashboard/todo');
  return (body['items'] as FailedLine[]).find(({ kind }) => kind === 'jobs_failed');
};
const todoCount = async () => (await failedLine())?.count ?? 0;
const auditedIds = async () =>
  (
    await ledger.rows<{ id: string }>(
      "select target_id as id from sites.audit_lines where action = 'job_acknowledge' order by at",
    )
  ).map(({ id }) => id);

async function failed(): Promise<string> {
  const id = await ledger.one();
  await end([id], 'failed');
  return id;
}

it('takes a failure off the lists of what is to be done, once, and says who did it', async () => {
  const [first, second] = [await failed(), await failed()];
  await end([second], 'unknown');
  expect([await failures(), await todoCount()]).toEqual([[second, first], 2]);
  expect(await acknowledgedOf(first)).toBeNull();
  expect(await acknowledge([first])).toEqual([200, 1]);
  const note = await acknowledgedOf(first);
  expect(note).toEqual({ at: expect.any(String), by: expect.any(String) });
  expect([await failures(), await todoCount()]).toEqual([[second], 1]);
  expect(await acknowledge([first, second])).toEqual([200, 1]);
  expect(await acknowledgedOf(first)).toEqual(note);
  expect([await failures(), await todoCount()]).toEqual([[], 0]);
  expect(await auditedIds()).toEqual([first, second]);
  // The list of all jobs still has them.
  expect((await ledger.request('GET', '/jobs')).body['items']).toMatchObject([
    { acknowledged: {} },
    { acknowledged: {} },
  ]);
});

it('does not reach the jobs of other owners, nor jobs that did not fail', async () => {
  const [foreign, own, running, done] = [await failed(), await failed(), await ledger.one(), await ledger.one()];
  await ledger.rows('update sites.jobs set owner_id = $2 where id = $1', [own, client.id]);
  await end([done], 'succeeded');
  expect(await acknowledge([foreign], client.token)).toEqual([404, undefined]);
  expect(await acknowledge([randomUUID()])).toEqual([404, undefined]);
  expect(await acknowledge([foreign, own], client.token)).toEqual([200, 1]);
  expect(await acknowledgedOf(foreign)).toBeNull();
  expect(await acknowledge([running, done])).toEqual([200, 0]);
  for (const ids of [[], ['x'], Array.from({ length: 501 }, () => own)]) expect((await acknowledge(ids))[0]).toBe(400);
});

it('covers the failures of a batch, until one of them fails again', async () => {
  const { id, children } = await ledger.orderBatch(3);
  const [first = '', second = '', other = ''] = children;
  await end([id, first, second], 'failed');
  await end([other], 'cancelled');
  expect(await acknowledge([first])).toEqual([200, 1]);
  expect([await acknowledgedOf(id), await failures()]).toEqual([null, [id]]);
  expect(await acknowledge([id])).toEqual([200, 1]);
  expect([await acknowledgedOf(id), await acknowledgedOf(second)]).toEqual([expect.any(Object), expect.any(Object)]);
  expect([await acknowledgedOf(other), await failures()]).toEqual([null, []]);
  const retried = String((await ledger.act(second, 'retry')).body['id']);
  await ledger.finish(await ledger.hold(retried), 'failed');
  expect([await acknowledgedOf(id), await failures()]).toEqual([null, [id]]);
});

it('is not needed once the same work succeeded, however it was started', async () => {
  const [ofVitrine, ofOther] = [await failed(), await failed()];
  const about = (id: string, slug: string) =>
    ledger.rows(
      `update sites.jobs set kind = 'changes.update', input = jsonb_build_object('item', jsonb_build_object('kind', 'plugin', 'slug', $2::text))
       where id = $1`,
      [id, slug],
    );
  await about(ofVitrine, 'vitrine');
  await about(ofOther, 'autre');
  expect(await todoCount()).toBe(2);
  const done = await ledger.one();
  await ledger.finish(await ledger.hold(done));
  await about(done, 'vitrine');
  expect([await failures(), await todoCount()]).toEqual([[ofOther], 1]);
  expect((await ledger.request('GET', '/jobs')).body['items']).toMatchObject([
    { id: done, redone_by: null },
    { id: ofOther, redone_by: null },
    { id: ofVitrine, redone_by: done },
  ]);
});

it('says of a change that was undone that its site is well, unless the site is still hurt', async () => {
  const failWith = async (error: object) => {
    const id = await failed();
    await ledger.rows('update sites.jobs set error = $2 where id = $1', [
      id,
      JSON.stringify({ message: '', ...error }),
    ]);
    return (await failedLine())?.worst[0]?.is_undone;
  };
  expect(await failWith({ code: 'rolled_back' })).toBe(true);
  expect(await failWith({ code: 'rolled_back', still: 'la page est vide' })).toBe(false);
  expect(await failWith({ code: 'timeout' })).toBe(false);
});
