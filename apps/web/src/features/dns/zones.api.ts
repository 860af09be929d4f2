import { callOf, type Received } from '@vigie/contracts/calls';
import {
  createDnsConfig,
  deleteDnsConfig,
  editDnsConfig,
  readDnsAccount,
  readDnsConfig,
  validateDnsConfig,
} from '@vigie/contracts/dns-config';
import { linkZone, listFreeSites, listSiteZones, suggestLinks, unlinkZone } from '@vigie/contracts/dns-mapping';
import { createDnsZone, listDnsZones, readDnsZone } from '@vigie/contracts/dns-zones';
import { api } from '../../kit/query/api';
import { changesOnSuccess, creationOf, mutationOf, queryOf } from '../../kit/query/endpoints';

export type ZonesPage = Received<typeof listDnsZones>;

const saveFailed = 'Failed to save configuration';
const validateFailed = 'Failed to validate configuration';

const onlyZone = ({ zone }: Received<typeof readDnsZone>) => zone;

export const zonesApi = api.injectEndpoints({
  endpoints: (build) => ({
    dnsConfig: build.query(queryOf(readDnsConfig)),
    dnsAccount: build.query(queryOf(readDnsAccount)),
    createDnsConfig: build.mutation({
      ...creationOf(createDnsConfig, saveFailed),
      invalidatesTags: changesOnSuccess(createDnsConfig),
    }),
    editDnsConfig: build.mutation({
      ...mutationOf(editDnsConfig, saveFailed),
      invalidatesTags: changesOnSuccess(editDnsConfig),
    }),
    deleteDnsConfig: build.mutation(mutationOf(deleteDnsConfig, 'Failed to delete configuration')),
    validateDnsConfig: build.mutation({
      ...mutationOf(validateDnsConfig, validateFailed),
      // Without a key the stored one is validated, and the result becomes part of the configuration.
      invalidatesTags: (_, __, config) => (config?.api_key ? [] : validateDnsConfig.changes),
    }),
    zones: build.query(queryOf(listDnsZones)),
    /** Makes the server read all zones from Cloudflare; the lists are then loaded again. */
    refreshZones: build.mutation<ZonesPage, void>({
      ...mutationOf(listDnsZones, 'Failed to load zones'),
      query: () => callOf(listDnsZones, { limit: 1, fresh: '1' }),
      invalidatesTags: listDnsZones.reads,
    }),
    zone: build.query({ ...queryOf(readDnsZone), transformResponse: onlyZone }),
    createZone: build.mutation({ ...creationOf(createDnsZone, 'Failed to create zone'), transformResponse: onlyZone }),
    /** Reads the sites too: a link shows the name of its site. */
    siteZones: build.query(queryOf(listSiteZones)),
    freeSites: build.query(queryOf(listFreeSites)),
    suggestions: build.query(queryOf(suggestLinks)),
    linkZone: build.mutation({
      ...mutationOf(linkZone, 'Failed to link site'),
      transformResponse: ({ site_zone: siteZone }: Received<typeof linkZone>) => siteZone,
    }),
    unlinkZone: build.mutation(mutationOf(unlinkZone, 'Failed to unlink site')),
  }),
});
