import { backupCodes } from '@vigie/contracts/backups';
import { isFinal, type JobItem } from '@vigie/contracts/jobs';

const oldMs = 24 * 3_600_000;

type Known = { now: number; dismissed: ReadonlySet<string> };

/** Each creation has a name of its own, and each restore is of the one site: the newest of all tells. */
const alone = new Set(['backups.create', 'backups.restore']);

/** The site is another one although its restore failed. */
const isIncomplete = ({ error }: JobItem) => error?.code === backupCodes.incomplete;

const isNew = ({ id, finished_at: end }: JobItem, { now, dismissed }: Known) =>
  end !== null && now - Date.parse(end) < oldMs && !dismissed.has(id);

/** Of the newest first: those that failed of late, where the same was not done again since. */
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

/** The restore that made of the site what it is, where that was of late. */
export function restoredOf(jobs: readonly JobItem[], known: Known): JobItem | undefined {
  const newest = jobs.find(({ kind, state }) => kind === 'backups.restore' && isFinal(state));
  const isOther = newest !== undefined && (newest.state === 'succeeded' || isIncomplete(newest));
  return isOther && isNew(newest, known) ? newest : undefined;
}
