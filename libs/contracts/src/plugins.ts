import { z } from 'zod';
import { contract } from './contract';
import { slugRule } from './inventory';
import { JobTicket } from './jobs';
import { id, oneOf, searchText, timestamp } from './text';

export const pluginSorts = ['updates_desc', 'sites_desc', 'name_asc'] as const;
export type PluginSort = (typeof pluginSorts)[number];

/** No more of each are in the overview; the rest has a list of its own. */
export const maxListed = 20;

const slug = z.string().regex(slugRule, 'Cet identifiant n’est pas celui d’une extension.');
const offset = z.coerce.number().int().min(0).max(1_000_000).default(0);

/** Of which sites: of a group with those below it, of a server, or of all that the caller sees. */
const ofSites = { group_id: id.optional(), server_id: id.optional() };
const narrowing = {
  /** In the name of a plugin, or in its slug. */
  q: searchText(200).default(''),
  only_updates: oneOf(['0', '1']).default('0'),
  ...ofSites,
};

/** A plugin as one site has it. */
const PluginSite = z.object({
  site_id: id,
  site_name: z.string(),
  version: z.string().nullable(),
  hasUpdate: z.boolean(),
  /** Its update needs a licence that the site has not. */
  blockedByLicense: z.boolean(),
  new_version: z.string().nullable(),
  status: z.enum(['active', 'inactive']),
});

export const PluginItem = z.object({
  /** Its slug: a plugin of one site and that of another are the same by it. */
  plugin: z.string(),
  /** As most sites call it. */
  name: z.string(),
  sites_count: z.int(),
  updates_count: z.int(),
  inactive_count: z.int(),
  blocked_count: z.int(),
  /** The newest that any site has or is offered. */
  latest_version: z.string().nullable(),
  /** The commonest first, ten of them. */
  versions: z.array(z.object({ version: z.string().nullable(), sites_count: z.int() })),
  versions_count: z.int(),
  /** Those with an update first; twenty of them, fewer where that would be too much for one answer. */
  sites: z.array(PluginSite),
});
export type PluginItem = z.infer<typeof PluginItem>;

/** How far what is shown can be believed: sites that were never read, and those that could not be read last. */
const Diagnosis = z.object({
  sites_total: z.int(),
  sites_scanned: z.int(),
  sites_failed: z.int(),
  failures: z.array(z.object({ site_id: id, site_name: z.string(), error: z.string() })),
});
export type Diagnosis = z.infer<typeof Diagnosis>;

/** What is known, at once; `fresh=1` has these sites read again, at most once in ten seconds. */
export const readPlugins = contract('sites.plugins.read', {
  input: z.object({
    ...narrowing,
    fresh: oneOf(['0', '1']).default('0'),
    limit: z.coerce.number().int().min(1).max(100).default(50),
    offset,
    sort: oneOf(pluginSorts).default('updates_desc'),
  }),
  output: z.object({
    items: z.array(PluginItem),
    total: z.int(),
    /** Of all plugins that are asked for, on all pages. */
    updates_total: z.int(),
    /** When a site was last read. */
    updated_at: timestamp.nullable(),
    /** What was asked for by `fresh` is not over. */
    refreshing: z.boolean(),
    /** Whether sites are read again at all: that can be turned off. */
    can_refresh: z.boolean(),
    diag: Diagnosis,
  }),
  callers: ['gateway'],
});
export type PluginsRead = z.output<typeof readPlugins.output>;

export const PluginSiteLine = PluginSite.extend({
  url: z.string(),
  /** When it was last read, and why the attempt after that failed. */
  read_at: timestamp.nullable(),
  failure: z.string().nullable(),
  /** What is under way with this plugin there. */
  job_id: id.nullable(),
});
export type PluginSiteLine = z.infer<typeof PluginSiteLine>;

/** All sites that have a plugin. */
export const readPluginSites = contract('sites.plugins.read_sites', {
  input: z.object({
    slug,
    /** In the name of a site, or in its address. */
    q: searchText(200).default(''),
    only_updates: oneOf(['0', '1']).default('0'),
    ...ofSites,
    /** As in the overview, or by name. */
    sort: oneOf(['updates_desc', 'name_asc']).default('updates_desc'),
    limit: z.coerce.number().int().min(1).max(500).default(50),
    offset,
  }),
  output: z.object({ plugin: z.string(), name: z.string(), items: z.array(PluginSiteLine), total: z.int() }),
  callers: ['gateway'],
});

/** Tests the sites that could not be read, as a batch. */
export const retryFailures = contract('sites.plugins.retry_failures', {
  input: z.object(ofSites),
  output: JobTicket,
  callers: ['gateway'],
  timeoutMs: 15_000,
});

/** A plugin of a site, as a line of a file. */
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

const ExportPlace = z.object({ slug, is_current: z.boolean(), site_id: id });

/** Every plugin of every site, in parts: the next one begins behind `next`. */
export const exportPlugins = contract('sites.plugins.export', {
  input: z.object({ ...narrowing, after: ExportPlace.optional() }),
  output: z.object({ lines: z.array(PluginExportLine), next: ExportPlace.nullable() }),
  callers: ['gateway'],
  timeoutMs: 15_000,
});
