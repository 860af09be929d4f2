import { discoverSites, importSites } from '@vigie/contracts/site-discovery';
import { api } from '../../kit/query/api';
import { creationOf, type Received } from '../../kit/query/endpoints';

export type ImportResult = Received<typeof importSites>;

export const discoveryApi = api.injectEndpoints({
  endpoints: (build) => ({
    discoverSites: build.mutation(creationOf(discoverSites)),
    importSites: build.mutation(creationOf(importSites)),
  }),
});
