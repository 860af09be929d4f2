import { backupCodes } from '@vigie/contracts/backups';
import { isFinal, type JobItem } from '@vigie/contracts/jobs';

const maxAgeMs = 24 * 3_600_000;

type RecentFilter = { now: number; dismissed: ReadonlySet<string> };

/** For these kinds only the newest job counts, whatever its archive: each new backup has its own name. */
const newestOfKind = new Set(['backups.create', 'backups.restore']);

/** A failed restore that nevertheless changed the site. */
const isIncomplete = ({ error }: JobItem) => error?.code === backupCodes.incomplete;

const isRecent = ({ id, finished_at: end }: JobItem, { now, dismissed }: RecentFilter) =>
  end !== null && now - Date.parse(end) < maxAgeMs && !dismissed.has(id);

/** The failures of the last day, unless the same job was run again since. `jobs` is sorted newest first. */
export function recentFailures(jobs: readonly JobItem[], filter: RecentFilter): JobItem[] {
  const seenKeys = new Set<string>();
  return jobs.filter((job) => {
    const key = newestOfKind.has(job.kind) ? job.kind : `${job.kind} ${job.about}`;
    const isNewest = !seenKeys.has(key);
    seenKeys.add(key);
    const hasFailed = (job.state === 'failed' || job.state === 'unknown') && !isIncomplete(job);
    return isNewest && hasFailed && isRecent(job, filter);
  });
}

/** The newest restore, if it changed the site within the last day. */
export function recentRestore(jobs: readonly JobItem[], filter: RecentFilter): JobItem | undefined {
  const newest = jobs.find(({ kind, state }) => kind === 'backups.restore' && isFinal(state));
  const hasChangedSite = newest !== undefined && (newest.state === 'succeeded' || isIncomplete(newest));
  return hasChangedSite && isRecent(newest, filter) ? newest : undefined;
}
