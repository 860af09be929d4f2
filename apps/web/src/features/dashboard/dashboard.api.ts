import { readFleet, readTodo } from '@vigie/contracts/dashboard';
import { summaryQueries } from '../../kit/fleet/summary';
import { queryOf } from '../../kit/query/endpoints';
import { usePollInterval, whileVisible } from '../../kit/query/usePollInterval';

const dashboardApi = summaryQueries.injectEndpoints({
  endpoints: (build) => ({
    todo: build.query(queryOf(readTodo)),
    fleet: build.query(queryOf(readFleet)),
  }),
});

const pollMs = 60_000;
const options = { refetchOnMountOrArgChange: true, ...whileVisible };

/** All parts of the dashboard share one query. */
export function useSummary() {
  const pollingInterval = usePollInterval(dashboardApi.endpoints.summary.useQueryState(), pollMs);
  return dashboardApi.useSummaryQuery(undefined, { pollingInterval, ...options });
}

export function useTodo() {
  const pollingInterval = usePollInterval(dashboardApi.endpoints.todo.useQueryState(), pollMs);
  return dashboardApi.useTodoQuery(undefined, { pollingInterval, ...options });
}

export function useFleet() {
  const pollingInterval = usePollInterval(dashboardApi.endpoints.fleet.useQueryState(), pollMs);
  return dashboardApi.useFleetQuery(undefined, { pollingInterval, ...options });
}
