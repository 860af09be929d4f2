import type { JobItem } from '@vigie/contracts/jobs';

const oldMs = 24 * 3_600_000;

type Seen = { now: number; dismissed: ReadonlySet<string> };

/** Of the newest first: those that failed of late, where the same was not done again since. */
export function newsOf(jobs: readonly JobItem[], { now, dismissed }: Seen): JobItem[] {
  const seen = new Set<string>();
  return jobs.filter((job) => {
    // Each creation has a name of its own.
    const key = job.kind === 'backups.create' ? job.kind : `${job.kind} ${job.about}`;
    const isNewest = !seen.has(key);
    seen.add(key);
    const hasFailed = job.state === 'failed' || job.state === 'unknown';
    const isLate = job.finished_at !== null && now - Date.parse(job.finished_at) < oldMs;
    return isNewest && hasFailed && isLate && !dismissed.has(job.id);
  });
}
