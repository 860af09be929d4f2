import { z } from 'zod';
import { contract } from './contract';
import { ProposedOrder } from './proposed-order';
import { HealthAlert } from './server-state';
import { SiteStatus } from './sites';
import { id, timestamp } from './text';

const count = z.int().nullable();

export const Summary = z.object({
  counts: z.object({ sites: z.int(), groups: z.int(), servers: z.int() }),
  /** Null before any scan. */
  updates: z.object({ core: count, plugins: count, themes: count }),
  /** Number of sites with a pending update; null before any scan. */
  sites_with_updates: count,
  sites_backed_up: z.int(),
});
export type Summary = z.infer<typeof Summary>;

export const readSummary = contract('sites.dashboard.summary', {
  http: 'GET /api/dashboard/summary',
  access: 'user',
  scope: 'read',
  grantRole: 'viewer',
  reads: ['sites', 'servers', 'groups', 'backups', 'jobs'],
  input: z.object({}),
  output: Summary,
});

const named = { id, name: z.string() };
/** As many as a plan or a batch takes, the worst first. */
const ids = { ids: z.array(id).max(500).default([]) };
const todoGroup = <K extends string, W extends z.ZodRawShape>(kind: K, worstShape: W) =>
  z.object({ kind: z.literal(kind), count: z.int(), worst: z.array(z.object(worstShape)), ...ids });

/** A group of problems that need attention: their number, and the worst few. */
export const TodoGroup = z.discriminatedUnion('kind', [
  /** `reason` says why the site is unreachable or broken, `http_code` what visitors get. */
  todoGroup('sites_down', { ...named, reason: z.string().nullable(), http_code: z.int().nullable() }),
  todoGroup('servers_in_alert', { ...named, alerts: z.array(HealthAlert) }),
  /** Failed within a week, and neither acknowledged nor repeated since. */
  todoGroup('jobs_failed', {
    id,
    kind: z.string(),
    about: z.string().nullable(),
    site_name: z.string().nullable(),
    server_name: z.string().nullable(),
    finished_at: timestamp,
    /** The change hurt the site, which is as it was before. */
    is_undone: z.boolean().default(false),
  }).extend({
    /** How many of all these failures were undone. */
    undone: z.int().default(0),
  }),
  /** Proposals that the caller may confirm, the first to expire first. */
  todoGroup('proposals', { id, order: ProposedOrder, sites: z.int(), lines: z.int(), created_at: timestamp }),
  todoGroup('backups_never', named),
  todoGroup('backups_late', { ...named, last_backup_at: timestamp }),
  todoGroup('updates', { ...named, updates: z.int() }),
]);
export type TodoGroup = z.infer<typeof TodoGroup>;

/** Lists the most serious group first and omits empty ones. */
export const readTodo = contract('sites.dashboard.todo', {
  http: 'GET /api/dashboard/todo',
  access: 'user',
  scope: 'read',
  grantRole: 'viewer',
  reads: ['sites', 'servers', 'groups', 'backups', 'jobs', 'proposals'],
  input: z.object({}),
  output: z.object({ items: z.array(TodoGroup) }),
});

/** Where a server, a group or a site stands in its list, because an id is long. */
const place = z.int().min(0);

/** One array for each field, all in the same order: ten thousand objects would not fit in one message. */
const FleetSites = z.object({
  ids: z.array(id),
  names: z.array(z.string()),
  /** As in the list of sites. */
  statuses: z.array(SiteStatus),
  servers: z.array(place.nullable()),
  groups: z.array(z.array(place)),
  updates: z.array(z.int()),
});

/** The whole fleet as a picture: the sites that are in error first, then by name. */
export const readFleet = contract('sites.dashboard.fleet', {
  http: 'GET /api/dashboard/fleet',
  access: 'user',
  scope: 'read',
  grantRole: 'viewer',
  reads: ['sites', 'servers', 'groups', 'jobs'],
  input: z.object({}),
  output: z.object({
    servers: z.array(z.object(named)),
    groups: z.array(z.object({ ...named, parent_id: id.nullable() })),
    sites: FleetSites,
    /** The sites that have open jobs. */
    busy: z.array(place),
    /** Why somebody has to look at these sites. */
    reasons: z.array(z.object({ text: z.string(), sites: z.array(place) })),
    /** More than the sites when they did not all fit. */
    total: z.int(),
  }),
});
export type Fleet = z.output<typeof readFleet.output>;
