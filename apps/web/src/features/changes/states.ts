import { isFinal, type JobItem } from '@vigie/contracts/jobs';
import { isBeforeEnd } from './ends';
import { keyOf } from './orders';

/** How it stands with one item: what is being done to it, or why what was done to it last failed. */
export type ItemState = { open?: JobItem; failed?: JobItem };

const oldMs = 24 * 3_600_000;

type Seen = {
  /** When what is shown of the site was read. */
  readAt: number;
  now: number;
  dismissed: ReadonlySet<string>;
};

/** By item, from the jobs of a site, newest first: only the newest of each tells how it stands. */
export function statesOf(jobs: readonly JobItem[], { readAt, now, dismissed }: Seen): ReadonlyMap<string, ItemState> {
  const states = new Map<string, ItemState>();
  for (const job of jobs) {
    const key = job.item && keyOf(job.item);
    if (key === null) continue;
    const state = states.get(key);
    const isOpen = !isFinal(job.state) || isBeforeEnd(job.id, readAt);
    // Of several that wait for each other the oldest runs.
    if (isOpen) states.set(key, { open: job });
    else if (!state) states.set(key, isToldOf(job, now) && !dismissed.has(job.id) ? { failed: job } : {});
  }
  return states;
}

const isToldOf = ({ state, finished_at: at }: JobItem, now: number): boolean =>
  (state === 'failed' || state === 'unknown') && at !== null && now - Date.parse(at) < oldMs;
