import { z } from 'zod';
import { contract } from './contract';
import { HealthAlert } from './server-state';
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
  reads: ['sites', 'servers', 'groups', 'backups', 'jobs'],
  input: z.object({}),
  output: Summary,
});

const named = { id, name: z.string() };
const todoGroup = <K extends string, W extends z.ZodRawShape>(kind: K, worstShape: W) =>
  z.object({ kind: z.literal(kind), count: z.int(), worst: z.array(z.object(worstShape)) });

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
  }),
  todoGroup('backups_never', named),
  todoGroup('backups_late', { ...named, last_backup_at: timestamp }),
  todoGroup('updates', { ...named, updates: z.int() }),
]);
export type TodoGroup = z.infer<typeof TodoGroup>;

/** Lists the most serious group first and omits empty ones. */
export const readTodo = contract('sites.dashboard.todo', {
  http: 'GET /api/dashboard/todo',
  access: 'user',
  reads: ['sites', 'servers', 'groups', 'backups', 'jobs'],
  input: z.object({}),
  output: z.object({ items: z.array(TodoGroup) }),
});
