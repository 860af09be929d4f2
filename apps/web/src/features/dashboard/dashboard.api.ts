import { readSummary, readTodo } from '@vigie/contracts/dashboard';
import { api } from '../../kit/query/api';
import { queryOf } from '../../kit/query/endpoints';
import { usePollInterval, whileVisible } from '../../kit/query/usePollInterval';

export const dashboardApi = api.injectEndpoints({
  endpoints: (build) => ({
    summary: build.query(queryOf(readSummary)),
    todo: build.query(queryOf(readTodo)),
  }),
});

export const dashboardPollMs = 60_000;

/** All parts of the dashboard share one query. */
export function useSummary() {
  const pollingInterval = usePollInterval(dashboardApi.endpoints.summary.useQueryState(), dashboardPollMs);
  return dashboardApi.useSummaryQuery(undefined, { pollingInterval, refetchOnMountOrArgChange: true, ...whileVisible });
}
