import { z } from 'zod';
import { contract } from './contract';
import { slugRule } from './inventory';
import { JobTicket } from './jobs';
import { id, offset, oneOf, searchText, timestamp } from './text';

export const pluginSorts = ['updates_desc', 'sites_desc', 'name_asc'] as const;
export type PluginSort = (typeof pluginSorts)[number];

/** Maximum number of sites and failures in the overview; other calls list the rest. */
export const maxOverviewSites = 20;

const slug = z.string().regex(slugRule, 'Cet identifiant n’est pas celui d’une extension.');

/** Restricts to the sites of a group with its subgroups, or of a server; otherwise all visible sites. */
const siteFilters = { group_id: id.optional(), server_id: id.optional() };
const pluginFilters = {
  /** Searches the plugin's name and slug. */
  q: searchText(200).default(''),
  only_updates: oneOf(['0', '1']).default('0'),
  ...siteFilters,
};

const PluginSite = z.object({
  site_id: id,
  site_name: z.string(),
  version: z.string().nullable(),
  hasUpdate: z.boolean(),
  /** The update needs a licence that the site does not have. */
  blockedByLicense: z.boolean(),
  new_version: z.string().nullable(),
  status: z.enum(['active', 'inactive']),
});

export const PluginItem = z.object({
  /** The slug, which identifies a plugin across sites. */
  plugin: z.string(),
  name: z.string(),
  sites_count: z.int(),
  updates_count: z.int(),
  inactive_count: z.int(),
  blocked_count: z.int(),
  /** The newest version installed or offered on any site. */
  latest_version: z.string().nullable(),
  /** The ten most common versions, the most common first. */
  versions: z.array(z.object({ version: z.string().nullable(), sites_count: z.int() })),
  versions_count: z.int(),
  /** Up to twenty sites, those with an update first; fewer when the answer would be too large. */
  sites: z.array(PluginSite),
});
export type PluginItem = z.infer<typeof PluginItem>;

/** How complete the overview is: sites never read, and sites whose last read failed. */
const Diagnosis = z.object({
  sites_total: z.int(),
  sites_scanned: z.int(),
  sites_failed: z.int(),
  failures: z.array(z.object({ site_id: id, site_name: z.string(), error: z.string() })),
});
export type Diagnosis = z.infer<typeof Diagnosis>;

/** Answers at once from the last scans; `fresh=1` also scans these sites again, at most once in ten seconds. */
export const readPlugins = contract('sites.plugins.read', {
  http: 'GET /api/plugins/overview',
  access: 'user',
  scope: 'read',
  grantRole: 'viewer',
  reads: ['sites'],
  input: z.object({
    ...pluginFilters,
    fresh: oneOf(['0', '1']).default('0'),
    limit: z.coerce.number().int().min(1).max(100).default(50),
    offset,
    sort: oneOf(pluginSorts).default('updates_desc'),
  }),
  output: z.object({
    items: z.array(PluginItem),
    total: z.int(),
    /** Updates of all matching plugins, on all pages. */
    updates_total: z.int(),
    /** When the last scan of any site ended. */
    updated_at: timestamp.nullable(),
    /** The scans started by `fresh` are not over. */
    refreshing: z.boolean(),
    /** False when scanning is turned off. */
    can_refresh: z.boolean(),
    diag: Diagnosis,
  }),
});
export type PluginsRead = z.output<typeof readPlugins.output>;

export const PluginSiteLine = PluginSite.extend({
  url: z.string(),
  /** When the site was last read; `failure` says why a later attempt failed. */
  read_at: timestamp.nullable(),
  failure: z.string().nullable(),
  /** The running job on this plugin of this site. */
  job_id: id.nullable(),
});
export type PluginSiteLine = z.infer<typeof PluginSiteLine>;

export const readPluginSites = contract('sites.plugins.read_sites', {
  http: 'GET /api/plugins/overview/:slug/sites',
  access: 'user',
  scope: 'read',
  grantRole: 'viewer',
  reads: ['sites'],
  input: z.object({
    slug,
    /** Searches the site's name and address. */
    q: searchText(200).default(''),
    only_updates: oneOf(['0', '1']).default('0'),
    ...siteFilters,
    /** The default is the order of the overview. */
    sort: oneOf(['updates_desc', 'name_asc']).default('updates_desc'),
    limit: z.coerce.number().int().min(1).max(500).default(50),
    offset,
  }),
  output: z.object({ plugin: z.string(), name: z.string(), items: z.array(PluginSiteLine), total: z.int() }),
});

/** Tests the sites whose last read failed, as a batch. */
export const retryFailures = contract('sites.plugins.retry_failures', {
  http: 'POST /api/plugins/overview/retry',
  access: 'user',
  scope: 'update',
  grantRole: 'operator',
  answer: 'ticket',
  changes: ['jobs'],
  input: z.object(siteFilters),
  output: JobTicket,
  timeoutMs: 15_000,
});

/** A plugin of a site as a line of the exported file. */
export const PluginExportLine = z.object({
  name: z.string(),
  slug: z.string(),
  site_name: z.string(),
  url: z.string(),
  version: z.string().nullable(),
  new_version: z.string().nullable(),
  is_active: z.boolean(),
  has_update: z.boolean(),
  is_blocked: z.boolean(),
  read_at: timestamp.nullable(),
});
export type PluginExportLine = z.infer<typeof PluginExportLine>;

const ExportCursor = z.object({ slug, is_current: z.boolean(), site_id: id });

/** Exports every plugin of every site in pages; the next page begins after `next`. */
export const exportPlugins = contract('sites.plugins.export', {
  http: 'GET /api/plugins/overview/export',
  access: 'user',
  scope: 'read',
  grantRole: 'viewer',
  answer: { custom: z.string() },
  input: z.object({ ...pluginFilters, after: ExportCursor.optional() }),
  output: z.object({ lines: z.array(PluginExportLine), next: ExportCursor.nullable() }),
  timeoutMs: 15_000,
});
