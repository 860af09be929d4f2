import { isFinal, type JobItem } from '@vigie/contracts/jobs';
import { itemKey } from './change-requests';

/** The open job of an item, or its last job if that failed. */
type ItemState = { open?: JobItem; failed?: JobItem };

const maxAgeMs = 24 * 3_600_000;

type StateContext = {
  /** When the visible data of the site were read, in milliseconds. */
  readAt: number;
  now: number;
  dismissed: ReadonlySet<string>;
};

/** The state of each item. `jobs` is sorted newest first, and only the newest job of an item counts. */
export function itemStates(
  jobs: readonly JobItem[],
  { readAt, now, dismissed }: StateContext,
): ReadonlyMap<string, ItemState> {
  const states = new Map<string, ItemState>();
  for (const job of jobs) {
    const key = job.item && itemKey(job.item);
    if (key === null) continue;
    const state = states.get(key);
    const isOpen = !isFinal(job.state) || isBeforeEnd(job.id, readAt);
    // Several open jobs of an item run in turn, the oldest first.
    if (isOpen) states.set(key, { open: job });
    else if (!state) states.set(key, isRecentFailure(job, now) && !dismissed.has(job.id) ? { failed: job } : {});
  }
  return states;
}

const isRecentFailure = ({ state, finished_at: at }: JobItem, now: number): boolean =>
  (state === 'failed' || state === 'unknown') && at !== null && now - Date.parse(at) < maxAgeMs;

const endSeenAt = new Map<string, number>();

/** Records when this window learned that the jobs ended. */
export function recordEnds(jobs: readonly { id: string }[]): void {
  for (const { id } of jobs) endSeenAt.set(id, Date.now());
}

/** True when the site was read before the job ended, so that its data are stale. */
const isBeforeEnd = (id: string, readAt: number): boolean => (endSeenAt.get(id) ?? 0) > readAt;
