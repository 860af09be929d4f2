import { type JobItem, JobTicket, listJobs } from '@vigie/contracts/jobs';
import {
  type CreateSite,
  deleteSite,
  type EditSite,
  HttpStatus,
  listSiteIds,
  listSites,
  Site,
  SiteInventory,
  type SiteItem,
} from '@vigie/contracts/sites';
import { z } from 'zod';
import { api } from '../../app/api';

export type Page = { items: SiteItem[]; total: number };
export type SitesParams = Omit<z.input<typeof listSites.input>, 'limit' | 'offset'> & { limit: number; offset: number };
type Ids = z.output<typeof listSiteIds.output>;
type Creation = { site: CreateSite; idempotencyKey: string };
type SiteRequest = { id: string; idempotencyKey: string };

const Sites = listSites.output.shape.items;
/** The server answers with the job while it runs, and with its result once it has ended. */
const InspectionAnswer = z.union([JobTicket, SiteInventory]);

const pathOf = (id: string) => `/sites/${encodeURIComponent(id)}` as const;

function queryOf(params: SitesParams): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined && value !== '') query.set(name, String(value));
  }
  return query.toString();
}

export const sitesApi = api.enhanceEndpoints({ addTagTypes: ['sites', 'groups', 'servers'] }).injectEndpoints({
  endpoints: (build) => ({
    sites: build.query<Page, SitesParams>({
      query: (params) => ({ path: `/sites?${queryOf(params)}`, output: Sites }),
      transformResponse: (items: SiteItem[], meta) => ({ items, total: meta?.total ?? items.length }),
      providesTags: ['sites'],
    }),
    siteIds: build.query<Ids, SitesParams>({
      query: (params) => ({ path: `/sites/ids?${queryOf(params)}`, output: listSiteIds.output }),
      providesTags: ['sites'],
    }),
    site: build.query<Site, string>({
      query: (id) => ({ path: pathOf(id), output: Site }),
      providesTags: ['sites'],
    }),
    createSite: build.mutation<Site, Creation>({
      query: ({ site, idempotencyKey }) => ({
        path: '/sites',
        method: 'POST',
        body: site,
        output: Site,
        idempotencyKey,
      }),
      invalidatesTags: ['sites', 'groups', 'servers'],
    }),
    editSite: build.mutation<Site, EditSite>({
      query: ({ id, ...changes }) => ({ path: pathOf(id), method: 'PUT', body: changes, output: Site }),
      invalidatesTags: ['sites', 'groups', 'servers'],
    }),
    deleteSite: build.mutation<object, string>({
      query: (id) => ({ path: pathOf(id), method: 'DELETE', output: deleteSite.output }),
      invalidatesTags: ['sites', 'groups', 'servers'],
    }),
    trustSiteKey: build.mutation<Site, { id: string; fingerprint: string }>({
      query: ({ id, fingerprint }) => ({
        path: `${pathOf(id)}/trust`,
        method: 'POST',
        body: { fingerprint },
        output: Site,
      }),
      invalidatesTags: ['sites'],
    }),
  }),
});

export const checksApi = sitesApi.injectEndpoints({
  endpoints: (build) => ({
    /** Starts a job, which holds the result of the test. */
    testSite: build.mutation<JobTicket, SiteRequest>({
      query: ({ id, idempotencyKey }) => ({
        path: `${pathOf(id)}/test`,
        method: 'POST',
        output: JobTicket,
        idempotencyKey,
      }),
    }),
    /** Tests these sites, or all of them. */
    testSites: build.mutation<JobTicket, { ids?: readonly string[]; idempotencyKey: string }>({
      query: ({ idempotencyKey, ...body }) => ({
        path: '/sites/test',
        method: 'POST',
        body,
        output: JobTicket,
        idempotencyKey,
      }),
    }),
    /** Starts WordPress to read the site again; the job may end at once. */
    inspectSite: build.mutation<z.infer<typeof InspectionAnswer>, string>({
      query: (id) => ({ path: `${pathOf(id)}/inventory?fresh=1`, output: InspectionAnswer, isJob: true }),
      invalidatesTags: (answer) => (answer && 'job_id' in answer ? [] : ['sites']),
    }),
    /** Requests the site's page as a visitor. */
    visitSite: build.mutation<HttpStatus, string>({
      query: (id) => ({ path: `${pathOf(id)}/http_status?fresh=1`, output: HttpStatus }),
      invalidatesTags: ['sites'],
    }),
    /** The latest jobs of a site. */
    siteJobs: build.query<readonly JobItem[], string>({
      query: (id) => ({ path: `/jobs?site_id=${encodeURIComponent(id)}&limit=20`, output: listJobs.output }),
      transformResponse: ({ items }: { items: JobItem[] }) => items,
      providesTags: ['sites'],
    }),
  }),
});
