import { discoverSites, importSites } from '@vigie/contracts/site-discovery';
import { api } from '../../app/api';
import { creationOf, type Received } from '../../app/endpoints';

export type ImportResult = Received<typeof importSites>;

export const discoveryApi = api.injectEndpoints({
  endpoints: (build) => ({
    discoverSites: build.mutation(creationOf(discoverSites)),
    importSites: build.mutation(creationOf(importSites)),
  }),
});
