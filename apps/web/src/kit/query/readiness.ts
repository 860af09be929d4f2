import { Readiness } from '@vigie/contracts/health';
import { api } from './api';
import { readinessPath, useConnection } from './connection';
import { useLostReads } from './recovery';

const idlePollMs = 30_000;
const retryPollMs = 4_000;

export const readinessApi = api.injectEndpoints({
  endpoints: (build) => ({
    readiness: build.query<Readiness, void>({
      // 503 is an answer too: it names the services that are away.
      // This call follows one that got no answer, and the user has waited already.
      query: () => ({ path: readinessPath, output: Readiness, acceptedStatuses: [503], timeoutMs: 15_000 }),
    }),
  }),
});

/** Asks whether Vigie responds: often while it does not, while a service is away, and while something could not be read. */
export function useReadiness(): void {
  const { data } = readinessApi.endpoints.readiness.useQueryState();
  const isOnline = useConnection() === 'online';
  const lostReads = useLostReads();
  const isWell = isOnline && data?.ready !== false && lostReads === 'none';
  readinessApi.useReadinessQuery(undefined, {
    pollingInterval: isWell ? idlePollMs : retryPollMs,
    skipPollingIfUnfocused: true,
  });
}
