import { usePollInterval, whileVisible } from '../../kit/query/usePollInterval';
import { dashboardApi } from './dashboard.api';

export const dashboardPollMs = 60_000;

/** All parts of the dashboard share one query. */
export function useSummary() {
  const pollingInterval = usePollInterval(dashboardApi.endpoints.summary.useQueryState(), dashboardPollMs);
  return dashboardApi.useSummaryQuery(undefined, { pollingInterval, refetchOnMountOrArgChange: true, ...whileVisible });
}
