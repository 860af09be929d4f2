import { discoverSites, importSites } from '@vigie/contracts/site-discovery';
import { api } from '../../app/api';
import { mutationOf, type Received } from '../../app/endpoints';

export type ImportResult = Received<typeof importSites>;

export const discoveryApi = api.injectEndpoints({
  endpoints: (build) => ({
    discoverSites: build.mutation(mutationOf(discoverSites)),
    importSites: build.mutation(mutationOf(importSites)),
  }),
});
