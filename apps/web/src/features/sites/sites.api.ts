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
export type Question = Omit<z.input<typeof listSites.input>, 'limit' | 'offset'> & { limit: number; offset: number };
type Ids = z.output<typeof listSiteIds.output>;
type Creation = { site: CreateSite; idempotencyKey: string };
type Asked = { id: string; idempotencyKey: string };

const Sites = listSites.output.shape.items;
/** A job is what it is as long as it is not over; then it is what came of it. */
const Looked = z.union([JobTicket, SiteInventory]);

const pathOf = (id: string) => `/sites/${encodeURIComponent(id)}` as const;

function queryOf(question: Question): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(question)) {
    if (value !== undefined && value !== '') query.set(name, String(value));
  }
  return query.toString();
}

export const sitesApi = api.enhanceEndpoints({ addTagTypes: ['sites', 'groups', 'servers'] }).injectEndpoints({
  endpoints: (build) => ({
    sites: build.query<Page, Question>({
      query: (question) => ({ path: `/sites?${queryOf(question)}`, output: Sites }),
      transformResponse: (items: SiteItem[], meta) => ({ items, total: meta?.total ?? items.length }),
      providesTags: ['sites'],
    }),
    siteIds: build.query<Ids, Question>({
      query: (question) => ({ path: `/sites/ids?${queryOf(question)}`, output: listSiteIds.output }),
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

export const looksApi = sitesApi.injectEndpoints({
  endpoints: (build) => ({
    /** Asked for; what came of it is the job's. */
    testSite: build.mutation<JobTicket, Asked>({
      query: ({ id, idempotencyKey }) => ({
        path: `${pathOf(id)}/test`,
        method: 'POST',
        output: JobTicket,
        idempotencyKey,
      }),
    }),
    /** These, or all there are. */
    testSites: build.mutation<JobTicket, { ids?: readonly string[]; idempotencyKey: string }>({
      query: ({ idempotencyKey, ...body }) => ({
        path: '/sites/test',
        method: 'POST',
        body,
        output: JobTicket,
        idempotencyKey,
      }),
    }),
    /** WordPress itself is asked: a job that may be over at once. */
    lookAtSite: build.mutation<z.infer<typeof Looked>, string>({
      query: (id) => ({ path: `${pathOf(id)}/inventory?fresh=1`, output: Looked, isJob: true }),
      invalidatesTags: (answer) => (answer && 'job_id' in answer ? [] : ['sites']),
    }),
    /** As a visitor, now. */
    visitSite: build.mutation<HttpStatus, string>({
      query: (id) => ({ path: `${pathOf(id)}/http_status?fresh=1`, output: HttpStatus }),
      invalidatesTags: ['sites'],
    }),
    /** The newest of a site. */
    siteJobs: build.query<readonly JobItem[], string>({
      query: (id) => ({ path: `/jobs?site_id=${encodeURIComponent(id)}&limit=20`, output: listJobs.output }),
      transformResponse: ({ items }: { items: JobItem[] }) => items,
      providesTags: ['sites'],
    }),
  }),
});
