import type { Output } from '@vigie/contracts/contract';
import type { HistoryRange, readHealthHistory } from '@vigie/contracts/server-health';
import type { DataSource } from 'typeorm';
import { intervals } from '../sweeps/schedule';

const quarter = 900;

type Source = { seconds: number; stepSeconds: number; table: string };

const samples = 'select at, load, mem_pct, disk_pct, procs from health_samples where server_id = $1';

/** SQL: quarters of an hour, and the samples that are not rolled up yet as the last ones. */
const quarters = `
  select at, load_max as load, mem_pct, disk_pct, procs from health_quarters where server_id = $1
  union all
  select date_bin('15 minutes', at, 'epoch'), load, mem_pct, disk_pct, procs from health_samples
  where server_id = $1 and at >= coalesce((select max(at) + interval '15 minutes' from health_quarters), '-infinity')`;

/** A step of ten seconds keeps each sample of the hour by itself, and limits those of a test that probes all the time. */
const sources: Readonly<Record<HistoryRange, Source>> = {
  hour: { seconds: 3_600, stepSeconds: 10, table: samples },
  day: { seconds: 86_400, stepSeconds: quarter, table: quarters },
  month: { seconds: 30 * 86_400, stepSeconds: 8 * quarter, table: quarters },
};

type History = Output<typeof readHealthHistory>;

/** The highest values of each step, so that no peak is lost. */
export async function findHealthHistory(database: DataSource, id: string, range: HistoryRange): Promise<History> {
  const { seconds, stepSeconds, table } = sources[range];
  const to = new Date();
  const from = new Date(to.getTime() - 1_000 * seconds);
  const rows: (Omit<History['points'][number], 'at'> & { at: Date })[] = await database.query(
    `select max(at) as at, round(max(load)::numeric, 2)::float8 as load, max(mem_pct) as mem_pct,
       max(disk_pct) as disk_pct, max(procs) as procs
     from (${table}) measured where at between $2 and $3
     group by date_bin(make_interval(secs => $4), at, 'epoch') order by 1`,
    [id, from, to, stepSeconds],
  );
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    step_seconds: range === 'hour' ? Math.max(stepSeconds, intervals['server-health']) : stepSeconds,
    points: rows.map(({ at, ...values }) => ({ ...values, at: at.toISOString() })),
  };
}
