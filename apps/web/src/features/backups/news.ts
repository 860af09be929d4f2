import { backupCodes } from '@vigie/contracts/backups';
import { isFinal, type JobItem } from '@vigie/contracts/jobs';

const oldMs = 24 * 3_600_000;

type Known = { now: number; dismissed: ReadonlySet<string> };

/** For these kinds only the newest job counts, whatever its archive: each new backup has its own name. */
const alone = new Set(['backups.create', 'backups.restore']);

/** A failed restore that nevertheless changed the site. */
const isIncomplete = ({ error }: JobItem) => error?.code === backupCodes.incomplete;

const isNew = ({ id, finished_at: end }: JobItem, { now, dismissed }: Known) =>
  end !== null && now - Date.parse(end) < oldMs && !dismissed.has(id);

/** The failures of the last day, unless the same job was run again since. `jobs` is sorted newest first. */
export function newsOf(jobs: readonly JobItem[], known: Known): JobItem[] {
  const seen = new Set<string>();
  return jobs.filter((job) => {
    const key = alone.has(job.kind) ? job.kind : `${job.kind} ${job.about}`;
    const isNewest = !seen.has(key);
    seen.add(key);
    const hasFailed = (job.state === 'failed' || job.state === 'unknown') && !isIncomplete(job);
    return isNewest && hasFailed && isNew(job, known);
  });
}

/** The newest restore, if it changed the site within the last day. */
export function restoredOf(jobs: readonly JobItem[], known: Known): JobItem | undefined {
  const newest = jobs.find(({ kind, state }) => kind === 'backups.restore' && isFinal(state));
  const isOther = newest !== undefined && (newest.state === 'succeeded' || isIncomplete(newest));
  return isOther && isNew(newest, known) ? newest : undefined;
}
