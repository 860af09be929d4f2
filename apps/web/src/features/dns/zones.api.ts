import {
  type CreateDnsConfig,
  DnsAccount,
  DnsConfig,
  DnsValidation,
  deleteDnsConfig,
  type EditDnsConfig,
  type ValidateDnsConfig,
} from '@vigie/contracts/dns-config';
import {
  linkZone,
  listFreeSites,
  listSiteZones,
  type SiteZone,
  suggestLinks,
  unlinkZone,
} from '@vigie/contracts/dns-mapping';
import { createDnsZone, type DnsZone, listDnsZones, readDnsZone } from '@vigie/contracts/dns-zones';
import type { z } from 'zod';
import { api } from '../../app/api';

export type ZonesPage = z.output<typeof listDnsZones.output>;
type ZonesParams = Partial<z.input<typeof listDnsZones.input>>;
export type SiteZonesPage = z.output<typeof listSiteZones.output>;
type SearchParams = { q: string; limit: number; offset?: number };
type WithIdempotencyKey<K extends string, T> = { [key in K]: T } & { idempotencyKey: string };
export type Link = { zoneId: string; siteId: string };

/** The server may call Cloudflare several times for one answer. */
export const patienceMs = 45_000;

export const zonePath = (id: string) => `/cloudflare/zones/${encodeURIComponent(id)}` as const;

export function queryOf(params: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined && value !== '') query.set(name, String(value));
  }
  return query.toString();
}

/** A change of the account invalidates all of these. */
const accountTags = ['dnsConfig', 'zones', 'siteZones', 'records'] as const;
const linkTags = ['zones', 'siteZones'] as const;

const taggedApi = api.enhanceEndpoints({ addTagTypes: ['dnsConfig', 'zones', 'siteZones', 'records', 'sites'] });

const configApi = taggedApi.injectEndpoints({
  endpoints: (build) => ({
    dnsConfig: build.query<DnsConfig, void>({
      query: () => ({ path: '/cloudflare/config', output: DnsConfig }),
      providesTags: ['dnsConfig'],
    }),
    dnsAccount: build.query<DnsAccount, void>({
      query: () => ({ path: '/cloudflare/account', output: DnsAccount, timeoutMs: patienceMs }),
      providesTags: ['dnsConfig'],
    }),
    createDnsConfig: build.mutation<DnsConfig, WithIdempotencyKey<'config', CreateDnsConfig>>({
      query: ({ config, idempotencyKey }) => ({
        path: '/cloudflare/config',
        method: 'POST',
        body: config,
        output: DnsConfig,
        idempotencyKey,
        timeoutMs: patienceMs,
      }),
      invalidatesTags: (config) => (config ? accountTags : []),
    }),
    editDnsConfig: build.mutation<DnsConfig, EditDnsConfig>({
      query: (changes) => ({
        path: '/cloudflare/config',
        method: 'PUT',
        body: changes,
        output: DnsConfig,
        timeoutMs: patienceMs,
      }),
      invalidatesTags: (config) => (config ? accountTags : []),
    }),
    deleteDnsConfig: build.mutation<object, void>({
      query: () => ({ path: '/cloudflare/config', method: 'DELETE', output: deleteDnsConfig.output }),
      invalidatesTags: accountTags,
    }),
    validateDnsConfig: build.mutation<DnsValidation, ValidateDnsConfig>({
      query: (config) => ({
        path: '/cloudflare/config/validate',
        method: 'POST',
        body: config,
        output: DnsValidation,
        timeoutMs: patienceMs,
      }),
      // Without a key the stored one is validated, and the result becomes part of the configuration.
      invalidatesTags: (_, __, { api_key: key }) => (key ? [] : ['dnsConfig']),
    }),
  }),
});

const listsApi = configApi.injectEndpoints({
  endpoints: (build) => ({
    zones: build.query<ZonesPage, ZonesParams>({
      query: (params) => ({
        path: `/cloudflare/zones?${queryOf(params)}`,
        output: listDnsZones.output,
        timeoutMs: patienceMs,
      }),
      providesTags: ['zones'],
    }),
    /** Makes the server read all zones from Cloudflare; the lists are then loaded again. */
    refreshZones: build.mutation<ZonesPage, void>({
      query: () => ({ path: '/cloudflare/zones?limit=1&fresh=1', output: listDnsZones.output, timeoutMs: patienceMs }),
      invalidatesTags: ['zones'],
    }),
    zone: build.query<DnsZone, string>({
      query: (id) => ({ path: zonePath(id), output: readDnsZone.output, timeoutMs: patienceMs }),
      transformResponse: ({ zone }: { zone: DnsZone }) => zone,
      providesTags: ['zones'],
    }),
    createZone: build.mutation<DnsZone, WithIdempotencyKey<'domain', string>>({
      query: ({ domain, idempotencyKey }) => ({
        path: '/cloudflare/zones',
        method: 'POST',
        body: { domain },
        output: createDnsZone.output,
        idempotencyKey,
        timeoutMs: patienceMs,
      }),
      transformResponse: ({ zone }: { zone: DnsZone }) => zone,
      invalidatesTags: ['zones'],
    }),
  }),
});

export const zonesApi = listsApi.injectEndpoints({
  endpoints: (build) => ({
    /** Tagged with the sites too: a link shows the name of its site. */
    siteZones: build.query<SiteZonesPage, SearchParams>({
      query: (params) => ({ path: `/cloudflare/sites/zones?${queryOf(params)}`, output: listSiteZones.output }),
      providesTags: ['siteZones', 'sites'],
    }),
    freeSites: build.query<z.output<typeof listFreeSites.output>, SearchParams>({
      query: (params) => ({ path: `/cloudflare/sites/free?${queryOf(params)}`, output: listFreeSites.output }),
      providesTags: ['siteZones', 'sites'],
    }),
    suggestions: build.query<z.output<typeof suggestLinks.output>, void>({
      query: () => ({ path: '/cloudflare/sites/suggestions', output: suggestLinks.output, timeoutMs: patienceMs }),
      providesTags: ['siteZones', 'zones', 'sites'],
    }),
    linkZone: build.mutation<SiteZone, Link & { autoSync?: boolean }>({
      query: ({ zoneId, siteId, autoSync }) => ({
        path: `${zonePath(zoneId)}/link/${encodeURIComponent(siteId)}`,
        method: 'POST',
        ...(autoSync !== undefined && { body: { auto_sync: autoSync } }),
        output: linkZone.output,
        timeoutMs: patienceMs,
      }),
      transformResponse: ({ site_zone: siteZone }: { site_zone: SiteZone }) => siteZone,
      invalidatesTags: linkTags,
    }),
    unlinkZone: build.mutation<object, string>({
      query: (siteId) => ({
        path: `/cloudflare/sites/${encodeURIComponent(siteId)}/zone`,
        method: 'DELETE',
        output: unlinkZone.output,
      }),
      invalidatesTags: linkTags,
    }),
  }),
});
