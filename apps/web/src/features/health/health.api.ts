import { Readiness } from '@vigie/contracts/health';
import { api } from '../../kit/query/api';
import { readinessPath } from '../../kit/query/connection';

export const healthApi = api.injectEndpoints({
  endpoints: (build) => ({
    readiness: build.query<Readiness, void>({
      // 503 is an answer too: it names the services that are away.
      // This call follows one that got no answer, and the user has waited already.
      query: () => ({ path: readinessPath, output: Readiness, acceptedStatuses: [503], timeoutMs: 15_000 }),
    }),
  }),
});
