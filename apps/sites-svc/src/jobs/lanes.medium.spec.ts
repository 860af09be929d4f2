import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { releaseJob } from '@vigie/contracts/jobs';
import { TestLedger } from '@vigie/testing/ledger';
import { until } from '@vigie/testing/until';

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await TestLedger.start();
});
afterAll(() => ledger?.stop());
beforeEach(() => ledger.rows('truncate sites.jobs cascade'));

describe('a lane', () => {
  it('has three places, and keeps no other lane waiting', async () => {
    await ledger.order({ lane: 'busy:22', n: 50 });
    await until(async () => (await ledger.countOut('busy:22')) === 3);
    const id = await ledger.one();
    await until(() => ledger.isOut(id));
    expect(await ledger.countOut('busy:22')).toBe(3);
  });

  it('goes on when one of them ends, oldest first', async () => {
    const ids = await ledger.order({ n: 4 });
    await ledger.product.database.query(
      "update sites.jobs set created_at = created_at + interval '1 s' where id = $1",
      [ids[3]],
    );
    const held = await ledger.hold(ids[0] ?? '');
    expect(await ledger.isOut(ids[3] ?? '')).toBe(false);
    await ledger.finish(held);
    await until(() => ledger.isOut(ids[3] ?? ''));
  });

  it('has one heavy job, and a site one that changes it', async () => {
    await ledger.order({ lane: 'heavy:22', isHeavy: true, n: 3 });
    const site = randomUUID();
    await ledger.order({ lane: 'a:22', site, isExclusive: true, n: 2 });
    await ledger.order({ lane: 'b:22', site, isExclusive: true });
    const last = await ledger.one({ lane: 'last:22' });
    await until(() => ledger.isOut(last));
    const [out] = await ledger.rows<{ n: number }>(
      'select count(*)::int as n from sites.jobs where site_id = $1 and dispatched_at is not null',
      [site],
    );
    expect([await ledger.countOut('heavy:22'), out?.n]).toEqual([1, 1]);
  });

  it('keeps the place of what has begun while its host is away', async () => {
    const site = randomUUID();
    const begun = await ledger.hold(await ledger.one({ site, isExclusive: true, isHeavy: true }));
    await ledger.agent.call(releaseJob, { ...begun, wait_ms: 3_600_000, reason: 'Le serveur ne répond pas.' });
    const sameSite = await ledger.one({ lane: 'other:22', site, isExclusive: true });
    const sameWeight = await ledger.one({ isHeavy: true });
    await ledger.order({ n: 5 });
    await until(async () => (await ledger.countOut('10.0.0.9:22')) === 2);
    expect([await ledger.isOut(sameSite), await ledger.isOut(sameWeight)]).toEqual([false, false]);
    await ledger.rows('update sites.jobs set not_before = now() where id = $1', [begun.id]);
    await until(() => ledger.isOut(begun.id));
  });

  it('waits for no queue but its own', async () => {
    await ledger.product.database.query(
      `insert into sites.jobs (id, kind, owner_id, actor_id, queue, lane, is_exclusive, is_heavy, input)
       select gen_random_uuid(), 'trial', $1, $1, 'site-transfers', 'slow-' || n, false, false, '{}' from generate_series(1, 600) n`,
      [ledger.server.owner],
    );
    await until(
      async () =>
        (
          await ledger.rows('select 1 from sites.jobs where dispatched_at is not null and queue = $1', [
            'site-transfers',
          ])
        ).length === 500,
    );
    const id = await ledger.one();
    expect(await ledger.claim(id)).toMatchObject({ id });
  });

  it('may be a hundred thousand jobs long, of which few are in Redis', async () => {
    await ledger.order({ lane: 'long:22', n: 100_000 });
    await ledger.product.database.query(
      `insert into sites.jobs (id, kind, owner_id, actor_id, queue, lane, is_exclusive, is_heavy, input)
       select gen_random_uuid(), 'trial', $1, $1, 'site-ops', 'wide-' || n, false, false, '{}' from generate_series(1, 2000) n`,
      [ledger.server.owner],
    );
    await until(
      async () =>
        Number(
          (
            await ledger.rows<{ n: number }>(
              'select count(*)::int as n from sites.jobs where dispatched_at is not null',
            )
          )[0]?.n,
        ) >= 500,
    );
    expect(await ledger.rows('select 1 from sites.jobs where dispatched_at is not null')).toHaveLength(500);
    expect(await ledger.countOut('long:22')).toBeLessThanOrEqual(3);
    expect(
      (await ledger.product.request('GET', '/api/jobs?limit=5', { token: ledger.root })).body['items'],
    ).toHaveLength(5);
  });
});
