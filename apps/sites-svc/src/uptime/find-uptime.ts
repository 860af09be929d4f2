import type { Uptime, UptimePoint } from '@vigie/contracts/uptime';
import type { EntityManager } from 'typeorm';
import { histogramSql, histogramSumSql, percentile } from '../visit-history/response-times';
import { stateCodes } from '../visit-history/samples';

const isUp = `state = ${stateCodes.up}`;
const isDown = `state = ${stateCodes.down}`;

/** SQL: the checks that are not yet added to quarters and days, as rows of the same form. */
export const newRows = (sites: string, more = '') => `
  select site_id, at, ${more} (${isUp})::int as ups, (${isDown})::int as downs, (not ${isUp} and not ${isDown})::int as others
  from visit_samples where site_id = ${sites} and at >= (select until from uptime_cursor)`;

const rowsOf = (table: string, sites: string, age: string) => `
  select site_id, at, ups, downs, others from ${table} where site_id = ${sites} and at > now() - interval '${age}'
  union all ${newRows(sites)}`;

const percentSql = (from: string) => `
  100.0 * sum(ups) filter (where ${from}) / nullif(sum(ups + downs) filter (where ${from}), 0)`;

type Uptimes = Uptime['uptime'] & { since: Date | null };

export async function findUptimes(manager: EntityManager, id: string): Promise<Uptimes> {
  const [short]: Pick<Uptimes, 'day' | 'week'>[] = await manager.query(
    `select (${percentSql("at > now() - interval '24 hours'")})::float8 as day,
       (${percentSql("at > now() - interval '7 days'")})::float8 as week
     from (${rowsOf('visit_quarters', '$1', '7 days')}) r`,
    [id],
  );
  const [long]: Pick<Uptimes, 'month' | 'quarter' | 'since'>[] = await manager.query(
    `select (${percentSql("at > now() - interval '30 days'")})::float8 as month,
       (${percentSql("at > now() - interval '90 days'")})::float8 as quarter, min(at) as since
     from (${rowsOf('visit_days', '$1', '400 days')}) r`,
    [id],
  );
  const { day = null, week = null } = short ?? {};
  const { month = null, quarter = null, since = null } = long ?? {};
  return { day, week, month, quarter, since };
}

/** The uptime of the last day of several sites, by id. */
export async function findDayUptimes(manager: EntityManager, ids: readonly string[]): Promise<Map<string, number>> {
  const rows: { id: string; percent: number | null }[] = await manager.query(
    `select site_id as id, (${percentSql("at > now() - interval '24 hours'")})::float8 as percent
     from (${rowsOf('visit_quarters', 'any($1::uuid[])', '24 hours')}) r group by site_id`,
    [ids],
  );
  return new Map(rows.flatMap(({ id, percent }) => (percent === null ? [] : [[id, percent] as const])));
}

const [hour, day] = [3_600, 86_400];

type Points = Pick<Uptime, 'from' | 'to' | 'step_seconds' | 'points'>;
type PointRow = Pick<UptimePoint, 'ups' | 'downs' | 'others'> & { at: Date; histogram: number[] };

/** By hours up to a week, by days of UTC beyond. */
export async function findPoints(manager: EntityManager, id: string, days: number): Promise<Points> {
  const stepSeconds = days > 7 ? day : hour;
  const table = days > 7 ? 'visit_days' : 'visit_quarters';
  const to = new Date();
  const from = new Date(to.getTime() - days * day * 1_000);
  const step = "date_bin(make_interval(secs => $4), at, 'epoch')";
  const rows: PointRow[] = await manager.query(
    `select at, sum(ups)::int as ups, sum(downs)::int as downs, sum(others)::int as others,
       (${histogramSumSql('histogram')})::int[] as histogram
     from (
       select ${step} as at, ups, downs, others, histogram::bigint[] from ${table}
       where site_id = $1 and at >= date_bin(make_interval(secs => $4), $2::timestamptz, 'epoch') and at <= $3
       union all
       select ${step}, sum(ups), sum(downs), sum(others), ${histogramSql('ms', isUp)}
       from (${newRows('$1', 'ms, state,')}) fresh group by 1
     ) r group by at order by at`,
    [id, from, to, stepSeconds],
  );
  const points = rows.map(({ at, histogram, ...counts }) => ({
    at: at.toISOString(),
    ...counts,
    p50: percentile(histogram, 0.5),
    p95: percentile(histogram, 0.95),
  }));
  return { from: from.toISOString(), to: to.toISOString(), step_seconds: stepSeconds, points };
}
