import type { JobItem } from '@vigie/contracts/jobs';
import { createSignal } from '../../ui/signal';
import { readLocal, writeLocal } from '../../ui/storage';

export const filters = [
  { value: 'all', label: 'Toutes' },
  { value: 'open', label: 'En cours' },
  { value: 'failed', label: 'Échecs' },
] as const;
export type Filter = (typeof filters)[number]['value'];

export const jobsFilter = createSignal<Filter>(
  filters.find(({ value }) => value === readLocal('jobs_filter'))?.value ?? 'all',
);

export function filterJobs(filter: Filter): void {
  jobsFilter.set(filter);
  writeLocal('jobs_filter', filter === 'all' ? null : filter);
}

/** A batch counts as failed when any of its jobs did. */
export const isFailure = ({ state, counts }: Pick<JobItem, 'state' | 'counts'>): boolean =>
  state === 'failed' || state === 'unknown' || (counts?.failed ?? 0) + (counts?.unknown ?? 0) > 0;
