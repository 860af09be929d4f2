import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestProduct } from '@vigie/testing/product';
import { until } from '@vigie/testing/until';

let product: TestProduct;
beforeAll(async () => {
  product = await TestProduct.shared(['gateway', 'auth-svc', 'sites-svc']);
});
afterAll(() => product?.stop());

async function ended(
  days: number,
  { batch = null, isBatch = false }: { batch?: string | null; isBatch?: boolean } = {},
) {
  const id = randomUUID();
  await product.database.query(
    `insert into sites.jobs (id, kind, owner_id, actor_id, batch_id, is_batch, queue, lane, is_exclusive, is_heavy, input, state, finished_at)
     values ($1, 'trial', $1, $1, $2, $3, 'site-ops', 'a:22', false, false, '{}', 'succeeded', now() - make_interval(days => $4))`,
    [id, batch, isBatch, days],
  );
  await product.database.query("insert into sites.job_log (job_id, seq, text) values ($1, 1, 'x')", [id]);
  return id;
}

/** As a restore leaves what waited. */
async function heldBack() {
  const id = randomUUID();
  await product.database.query(
    `insert into sites.jobs (id, kind, owner_id, actor_id, queue, lane, is_exclusive, is_heavy, input, state, not_before)
     values ($1, 'trial', $1, $1, 'site-ops', 'a:22', false, false, '{}', 'queued', 'infinity')`,
    [id],
  );
  return id;
}

/** A line of the feed, so many days old. */
async function told(days: number) {
  const id = randomUUID();
  await product.database.query(
    `insert into sites.activity (id, type, details, created_at) values ($1, 'login', '{}', now() - make_interval(days => $2))`,
    [id, days],
  );
  return id;
}

it('forgets jobs a month after their end, with their logs, a batch after its jobs, and the feed after a year', async () => {
  // Nobody forgets them before they are all there.
  await product.of('sites-svc')[0]?.kill();
  const recent = await ended(29);
  const going = await ended(29, { isBatch: true });
  const child = await ended(31, { batch: going });
  for (let n = 0; n < 120; n += 1) await ended(31);
  const batch = await ended(31, { isBatch: true });
  await ended(31, { batch });
  const [line] = [await told(364), await told(366)];
  // One that cannot be ended keeps nothing else.
  const [stuck = '', held = ''] = [await heldBack(), await heldBack()].toSorted();
  await product.database.query(
    `create function sites.stick() returns trigger language plpgsql as $$ begin raise exception 'stuck'; end $$;
     create trigger stick before update on sites.jobs for each row when (old.id = '${stuck}') execute function sites.stick();
     create trigger stick before delete on sites.outbox for each statement execute function sites.stick()`,
  );
  await product.add('sites-svc');
  const left = async (column: string, table: string) =>
    (await product.database.query<{ id: string }>(`select ${column} as id from sites.${table}`)).rows.map(
      ({ id }) => id,
    );
  await until(async () => (await left('id', 'jobs')).length <= 5);
  expect((await left('id', 'jobs')).toSorted()).toEqual([recent, going, child, stuck, held].toSorted());
  expect(await left('state', "jobs where not_before = 'infinity' order by id")).toEqual(['queued', 'unknown']);
  expect(await left('job_id', 'job_log')).toHaveLength(3);
  expect(await left('id', 'activity')).toEqual([line]);
});

it('lists jobs that failed at length', async () => {
  const token = await product.login();
  const { body: me } = await product.request('GET', '/api/auth/me', { token });
  const error = { message: 'é'.repeat(9_000), code: 'x', stderr: 'y'.repeat(30_000) };
  await product.database.query(
    `insert into sites.jobs (id, kind, owner_id, actor_id, queue, lane, is_exclusive, is_heavy, input, state, error)
     select gen_random_uuid(), 'trial', $1, $1, 'site-ops', 'a:22', false, false, '{}', 'failed', $2 from generate_series(1, 200)`,
    [me['id'], JSON.stringify(error)],
  );
  const { status, body } = await product.request('GET', '/api/jobs?limit=200', { token });
  const items = body['items'] as { error: object }[];
  expect([status, items.length]).toEqual([200, 200]);
  expect(items[0]?.error).toEqual({ message: expect.stringMatching(/^é{600}$/), code: 'x' });
});
