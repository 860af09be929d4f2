import { randomUUID } from 'node:crypto';
import { reportVisits } from '@vigie/contracts/site-checks';
import type { Uptime } from '@vigie/contracts/uptime';
import { connectBus, type TestBus } from '@vigie/testing/bus';
import { emptyTables } from '@vigie/testing/database';
import { addUser } from '@vigie/testing/people';
import { TestProduct } from '@vigie/testing/product';
import { until } from '@vigie/testing/until';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

type User = Awaited<ReturnType<typeof addUser>>;

let product: TestProduct;
let agent: TestBus;
let [owner, guest]: User[] = [];

beforeAll(async () => {
  product = await TestProduct.shared(['gateway', 'auth-svc', 'sites-svc']);
  agent = await connectBus(product.keys['ssh-agent']);
  const root = await product.login();
  [owner, guest] = [await addUser(product, root), await addUser(product, root)];
});
afterAll(async () => {
  await agent?.close();
  await product?.stop();
});
const tables = ['visit_samples', 'visit_quarters', 'visit_days', 'sites'].map((table) => `sites.${table}`);
beforeEach(() => emptyTables(product.database, ...tables));

const query = <T extends object>(sql: string, ...values: unknown[]) => product.database.query<T>(sql, values);
const ask = (path: string, user = owner) => product.request('GET', `/api${path}`, { token: user?.token ?? '' });
const uptimeOf = async (id: string, days = 7) =>
  (await ask(`/sites/${id}/uptime?days=${days}`)).body as unknown as Uptime;

async function addSite(name = 'boutique'): Promise<string> {
  const id = randomUUID();
  await query(
    `insert into sites.sites (id, owner_id, name, url) values ($1, $2, $3, 'https://x.invalid/')`,
    id,
    owner?.id,
    name,
  );
  return id;
}

/** Adds so many checks: all good, but for the first `downs`. */
async function addSamples(
  id: string,
  from: string,
  count: number,
  { downs = 0, ms = 120, seconds = 60 } = {},
): Promise<void> {
  await query(
    `insert into sites.visit_samples (site_id, at, slot, code, ms, state)
     select $1, at, (extract(epoch from at)::bigint / 3600 % 8)::smallint, case when n < $3::int then 0 else 200 end,
       case when n >= $3 then $4::int end, (n < $3)::int
     from generate_series(0, $2::int - 1) n cross join lateral (
       select ${from} + n * interval '${seconds} seconds' as at) t`,
    id,
    count,
    downs,
    ms,
  );
}

/** Lets another replica add up all quarters since then: each does so at its start. */
async function addUpSince(from: string): Promise<void> {
  await query(`update sites.uptime_cursor set until = date_bin('15 minutes', ${from}, 'epoch')`);
  await product.add('sites-svc');
  await until(async () => {
    const { rows } = await query<{ is_done: boolean }>(
      "select until > now() - interval '20 minutes' as is_done from sites.uptime_cursor",
    );
    return rows[0]?.is_done === true;
  });
}

describe('the uptime of a site', () => {
  it('is known from the first check on', async () => {
    const id = await addSite();
    expect(await uptimeOf(id)).toMatchObject({
      since: null,
      uptime: { day: null, quarter: null },
      points: [],
      beats: [],
    });
    const seen = {
      code: 200,
      error: null,
      method: 'GET',
      url: 'https://x.invalid/',
      ms: 80,
      checked_at: new Date().toISOString(),
    };
    const visit = { id, url: 'https://x.invalid/', certificate: null };
    await agent.call(reportVisits, { items: [{ ...visit, seen }], network: null });
    await agent.call(reportVisits, { items: [{ ...visit, seen: { ...seen, code: 500, ms: 30 } }], network: null });
    const uptime = await uptimeOf(id);
    expect(uptime).toMatchObject({ uptime: { day: 50, week: 50, month: 50, quarter: 50 }, step_seconds: 3_600 });
    const sum = (count: 'ups' | 'downs' | 'others') => uptime.points.reduce((total, point) => total + point[count], 0);
    expect([sum('ups'), sum('downs'), sum('others')]).toEqual([1, 1, 0]);
    expect(uptime.points.find(({ ups }) => ups > 0)?.p50).toBe(75);
    expect(uptime.beats.map(({ state, code, ms }) => [state, code, ms])).toEqual([
      ['up', 200, 80],
      ['down', 500, 30],
    ]);
    expect(uptime.since).not.toBeNull();
    // A visit of an address that the site no longer has says nothing about it.
    await agent.call(reportVisits, { items: [{ ...visit, url: 'https://autre.invalid/', seen }], network: null });
    expect((await uptimeOf(id)).beats).toHaveLength(2);
  });

  it('is added up to quarters and days, each check once', async () => {
    const id = await addSite();
    const { rows } = await query<{ at: string }>(
      "select date_bin('15 minutes', now() - interval '2 hours', 'epoch')::text as at",
    );
    const from = `'${rows[0]?.at}'::timestamptz`;
    await addSamples(id, from, 60, { downs: 6, ms: 120 });
    // Both add the same quarters, as any two replicas may.
    await Promise.all([addUpSince(from), addUpSince(from)]);
    const quarters = await query<{ ups: number; downs: number }>(
      'select ups, downs, histogram[3] as fast from sites.visit_quarters where site_id = $1 order by at',
      id,
    );
    expect(quarters.rows).toEqual([
      { ups: 9, downs: 6, fast: 9 },
      { ups: 15, downs: 0, fast: 15 },
      { ups: 15, downs: 0, fast: 15 },
      { ups: 15, downs: 0, fast: 15 },
    ]);
    const uptime = await uptimeOf(id);
    expect(uptime.uptime).toEqual({ day: 90, week: 90, month: 90, quarter: 90 });
    expect(uptime.points.reduce((sum, { ups, downs }) => sum + ups + downs, 0)).toBe(60);
    expect(uptime.points.every(({ p50, p95 }) => p50 === null || (p50 <= 150 && (p95 ?? 0) <= 150))).toBe(true);
    expect((await uptimeOf(id, 30)).points.reduce((sum, { ups, downs }) => sum + ups + downs, 0)).toBe(60);
  });

  it('is kept for long in days, and by the minute for hours', async () => {
    const id = await addSite();
    await query(
      `insert into sites.visit_days (site_id, at, ups, downs, others, histogram)
       select $1, date_trunc('day', now() - n * interval '1 day', 'UTC'), case when n < 40 then 100 else 80 end,
         case when n < 40 then 0 else 20 end, 0, array_fill(0, array[15]) from unnest(array[1, 29, 60, 100, 401]) n`,
      id,
    );
    expect((await uptimeOf(id, 90)).uptime).toMatchObject({
      day: null,
      week: null,
      month: 100,
      quarter: 93.33333333333333,
    });
    expect((await uptimeOf(id, 90)).points).toHaveLength(3);
    // The hour may turn meanwhile: then the next part is that of an hour later.
    for (const hours of [7, 6, 4])
      await addSamples(id, `date_trunc('hour', now()) - interval '${hours} hours' + interval '5 minutes'`, 2);
    await product.add('sites-svc');
    const countIn = async (hours: number) =>
      (
        await query(
          `select from sites.visit_samples where at >= date_trunc('hour', now()) - interval '${hours} hours'
             and at < date_trunc('hour', now()) - interval '${hours - 1} hours'`,
        )
      ).rows.length;
    await until(async () => {
      const days = await query("select from sites.visit_days where at < now() - interval '400 days'");
      return (await countIn(7)) + days.rows.length === 0;
    });
    expect((await query("select from sites.visit_samples where at > now() - interval '5 hours'")).rows).toHaveLength(2);
  });

  it('is told to those who reach the site', async () => {
    const [id, other] = [await addSite('un'), await addSite('deux')];
    await addSamples(id, "now() - interval '290 seconds'", 40, { downs: 1, seconds: 7 });
    const { body } = await ask(`/sites/heartbeats?ids=${id},${other}`);
    const beats = Array<string>(30).fill('up');
    expect(body['items']).toEqual(
      expect.arrayContaining([
        { id, beats, uptime_day: 97.5 },
        { id: other, beats: [], uptime_day: null },
      ]),
    );
    expect((await ask(`/sites/heartbeats?ids=${id}`, guest)).body).toEqual({ items: [] });
    expect((await ask(`/sites/${id}/uptime`, guest)).status).toBe(404);
    expect((await ask('/sites/heartbeats?ids=x')).status).toBe(400);
    expect((await ask(`/sites/${id}/uptime?days=3`)).status).toBe(400);
  });
});
