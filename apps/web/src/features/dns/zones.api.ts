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
type Question = Partial<z.input<typeof listDnsZones.input>>;
export type SiteZonesPage = z.output<typeof listSiteZones.output>;
type Searched = { q: string; limit: number; offset?: number };
type Keyed<K extends string, T> = { [key in K]: T } & { idempotencyKey: string };
export type Link = { zone: string; site: string };

/** Cloudflare is asked several times for one answer. */
export const patienceMs = 45_000;

export const zonePath = (id: string) => `/cloudflare/zones/${encodeURIComponent(id)}` as const;

export function queryOf(question: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(question)) {
    if (value !== undefined && value !== '') query.set(name, String(value));
  }
  return query.toString();
}

/** Another account has other zones. */
const everything = ['dnsConfig', 'zones', 'siteZones', 'records'] as const;
const linked = ['zones', 'siteZones'] as const;

const tagged = api.enhanceEndpoints({ addTagTypes: ['dnsConfig', 'zones', 'siteZones', 'records', 'sites'] });

const configApi = tagged.injectEndpoints({
  endpoints: (build) => ({
    dnsConfig: build.query<DnsConfig, void>({
      query: () => ({ path: '/cloudflare/config', output: DnsConfig }),
      providesTags: ['dnsConfig'],
    }),
    dnsAccount: build.query<DnsAccount, void>({
      query: () => ({ path: '/cloudflare/account', output: DnsAccount, patienceMs }),
      providesTags: ['dnsConfig'],
    }),
    createDnsConfig: build.mutation<DnsConfig, Keyed<'config', CreateDnsConfig>>({
      query: ({ config, idempotencyKey }) => ({
        path: '/cloudflare/config',
        method: 'POST',
        body: config,
        output: DnsConfig,
        idempotencyKey,
        patienceMs,
      }),
      invalidatesTags: (config) => (config ? everything : []),
    }),
    editDnsConfig: build.mutation<DnsConfig, EditDnsConfig>({
      query: (changes) => ({
        path: '/cloudflare/config',
        method: 'PUT',
        body: changes,
        output: DnsConfig,
        patienceMs,
      }),
      invalidatesTags: (config) => (config ? everything : []),
    }),
    deleteDnsConfig: build.mutation<object, void>({
      query: () => ({ path: '/cloudflare/config', method: 'DELETE', output: deleteDnsConfig.output }),
      invalidatesTags: everything,
    }),
    validateDnsConfig: build.mutation<DnsValidation, ValidateDnsConfig>({
      query: (config) => ({
        path: '/cloudflare/config/validate',
        method: 'POST',
        body: config,
        output: DnsValidation,
        patienceMs,
      }),
      // What is stored is tried without naming a key: what it came to is part of the configuration.
      invalidatesTags: (_, __, { api_key: key }) => (key ? [] : ['dnsConfig']),
    }),
  }),
});

const listsApi = configApi.injectEndpoints({
  endpoints: (build) => ({
    zones: build.query<ZonesPage, Question>({
      query: (question) => ({
        path: `/cloudflare/zones?${queryOf(question)}`,
        output: listDnsZones.output,
        patienceMs,
      }),
      providesTags: ['zones'],
    }),
    /** Cloudflare itself is asked; the lists are read again from what it said. */
    refreshZones: build.mutation<ZonesPage, void>({
      query: () => ({ path: '/cloudflare/zones?limit=1&fresh=1', output: listDnsZones.output, patienceMs }),
      invalidatesTags: ['zones'],
    }),
    zone: build.query<DnsZone, string>({
      query: (id) => ({ path: zonePath(id), output: readDnsZone.output, patienceMs }),
      transformResponse: ({ zone }: { zone: DnsZone }) => zone,
      providesTags: ['zones'],
    }),
    createZone: build.mutation<DnsZone, Keyed<'domain', string>>({
      query: ({ domain, idempotencyKey }) => ({
        path: '/cloudflare/zones',
        method: 'POST',
        body: { domain },
        output: createDnsZone.output,
        idempotencyKey,
        patienceMs,
      }),
      transformResponse: ({ zone }: { zone: DnsZone }) => zone,
      invalidatesTags: ['zones'],
    }),
  }),
});

export const zonesApi = listsApi.injectEndpoints({
  endpoints: (build) => ({
    /** A site that goes, or changes its name, changes what is linked. */
    siteZones: build.query<SiteZonesPage, Searched>({
      query: (asked) => ({ path: `/cloudflare/sites/zones?${queryOf(asked)}`, output: listSiteZones.output }),
      providesTags: ['siteZones', 'sites'],
    }),
    freeSites: build.query<z.output<typeof listFreeSites.output>, Searched>({
      query: (asked) => ({ path: `/cloudflare/sites/free?${queryOf(asked)}`, output: listFreeSites.output }),
      providesTags: ['siteZones', 'sites'],
    }),
    suggestions: build.query<z.output<typeof suggestLinks.output>, void>({
      query: () => ({ path: '/cloudflare/sites/suggestions', output: suggestLinks.output, patienceMs }),
      providesTags: ['siteZones', 'zones', 'sites'],
    }),
    linkZone: build.mutation<SiteZone, Link & { autoSync?: boolean }>({
      query: ({ zone, site, autoSync }) => ({
        path: `${zonePath(zone)}/link/${encodeURIComponent(site)}`,
        method: 'POST',
        ...(autoSync !== undefined && { body: { auto_sync: autoSync } }),
        output: linkZone.output,
        patienceMs,
      }),
      transformResponse: ({ site_zone: siteZone }: { site_zone: SiteZone }) => siteZone,
      invalidatesTags: linked,
    }),
    unlinkZone: build.mutation<object, string>({
      query: (site) => ({
        path: `/cloudflare/sites/${encodeURIComponent(site)}/zone`,
        method: 'DELETE',
        output: unlinkZone.output,
      }),
      invalidatesTags: linked,
    }),
  }),
});
