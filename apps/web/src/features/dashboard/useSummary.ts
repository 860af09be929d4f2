import { usePace, visibly } from '../../app/usePace';
import { dashboardApi } from './dashboard.api';

export const dashboardPollMs = 60_000;

/** All parts of the dashboard share one query. */
export function useSummary() {
  const pollingInterval = usePace(dashboardApi.endpoints.summary.useQueryState(), dashboardPollMs);
  return dashboardApi.useSummaryQuery(undefined, { pollingInterval, refetchOnMountOrArgChange: true, ...visibly });
}
