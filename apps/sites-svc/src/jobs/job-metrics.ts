import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { readAtScrape, type Sample } from '@vigie/service-kit/metrics';
import { DataSource } from 'typeorm';
import { intervals, isEnabled, type SweepKind } from '../sweeps/schedule';
import { isOpen } from '../queue/job.entity';
import { metricKind } from './kinds';

const cacheMs = 10_000;

type Row = { source: 'jobs' | 'sweeps'; kind: string; state: string; n: number; seconds: number };

const openJobs = (where: string) => `select kind, state, created_at from jobs where ${isOpen('jobs')} and ${where}`;

/** Uses only the indexes of waiting jobs, running jobs and overdue sweeps. */
const metricsSql = `
  select 'jobs' as source, kind, state, count(*)::int as n, extract(epoch from now() - min(created_at))::float8 as seconds
  from (${openJobs('dispatched_at is null')} union all ${openJobs('dispatched_at is not null')}) open
  group by kind, state
  union all
  select 'sweeps', kind, '', count(*)::int, extract(epoch from now() - min(next_at))::float8
  from sweeps where next_at <= now() group by kind`;

/** Metrics of jobs and sweeps that PostgreSQL knows. */
@Injectable()
export class JobMetrics implements OnApplicationBootstrap {
  constructor(private readonly database: DataSource) {}

  onApplicationBootstrap(): void {
    readAtScrape('database', () => this.read(), { cacheMs });
  }

  private async read(): Promise<Sample[]> {
    const rows: Row[] = await this.database.query(metricsSql);
    return [...samplesOfJobs(rows.filter(({ source }) => source === 'jobs')), ...samplesOfSweeps(rows)];
  }
}

function samplesOfJobs(rows: readonly Row[]): Sample[] {
  const sums = new Map<string, { labels: Record<string, string>; n: number; seconds: number }>();
  for (const { kind, state, n, seconds } of rows) {
    const labels = { kind: metricKind(kind), state };
    const sum = sums.get(`${labels.kind} ${state}`) ?? { labels, n: 0, seconds: 0 };
    sums.set(`${labels.kind} ${state}`, { labels, n: sum.n + n, seconds: Math.max(sum.seconds, seconds) });
  }
  return [...sums.values()].flatMap(({ labels, n, seconds }): Sample[] => [
    { name: 'vigie_jobs_open', labels, value: n },
    { name: 'vigie_jobs_oldest_seconds', labels, value: seconds },
  ]);
}

/** Reports zero when nothing is overdue: a missing metric would look like a dead process. */
function samplesOfSweeps(rows: readonly Row[]): Sample[] {
  const kinds = (Object.keys(intervals) as SweepKind[]).filter(isEnabled);
  return kinds.map((kind) => {
    const overdue = rows.find((row) => row.source === 'sweeps' && row.kind === kind);
    return { name: 'vigie_sweep_lag_seconds', labels: { kind }, value: overdue?.seconds ?? 0 };
  });
}
