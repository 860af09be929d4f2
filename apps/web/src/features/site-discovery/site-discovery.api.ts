import type { Received } from '@vigie/contracts/calls';
import { discoverSites, importSites } from '@vigie/contracts/site-discovery';
import { api } from '../../kit/query/api';
import { creationOf } from '../../kit/query/endpoints';

export type ImportResult = Received<typeof importSites>;

export const searchFailed = 'Les sites de ce serveur n’ont pas pu être cherchés.';
export const importFailed = 'Échec de la création du site.';

export const discoveryApi = api.injectEndpoints({
  endpoints: (build) => ({
    discoverSites: build.mutation(creationOf(discoverSites, searchFailed)),
    importSites: build.mutation(creationOf(importSites, importFailed)),
  }),
});
