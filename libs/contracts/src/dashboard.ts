import { z } from 'zod';
import { contract } from './contract';
import { HealthAlert } from './server-health';
import { id, timestamp } from './text';

const count = z.int().nullable();

/** How many there are of what the caller sees. */
export const Summary = z.object({
  counts: z.object({ sites: z.int(), groups: z.int(), servers: z.int() }),
  /** Null before any scan. */
  updates: z.object({ core: count, plugins: count, themes: count }),
  /** That have an update waiting; null before any scan. */
  sites_with_updates: count,
  sites_backed_up: z.int(),
});
export type Summary = z.infer<typeof Summary>;

export const readSummary = contract('sites.dashboard.summary', {
  input: z.object({}),
  output: Summary,
  callers: ['gateway'],
});

const named = { id, name: z.string() };
const line = <K extends string, W extends z.ZodRawShape>(kind: K, worst: W) =>
  z.object({ kind: z.literal(kind), count: z.int(), worst: z.array(z.object(worst)) });

/** One kind of what waits for somebody: how many, and the worst few of them by name. */
export const TodoLine = z.discriminatedUnion('kind', [
  /** What their status is for: why they were not reached, what is broken, or what visitors get. */
  line('sites_down', { ...named, reason: z.string().nullable(), http_code: z.int().nullable() }),
  line('servers_in_alert', { ...named, alerts: z.array(HealthAlert) }),
  /** Within a week, and neither tried again nor done since. */
  line('jobs_failed', {
    id,
    kind: z.string(),
    about: z.string().nullable(),
    site_name: z.string().nullable(),
    server_name: z.string().nullable(),
    finished_at: timestamp,
  }),
  line('backups_never', named),
  line('backups_late', { ...named, last_backup_at: timestamp }),
  line('updates', { ...named, updates: z.int() }),
]);
export type TodoLine = z.infer<typeof TodoLine>;

/** The gravest first; a kind of which there is none is left out. */
export const readTodo = contract('sites.dashboard.todo', {
  input: z.object({}),
  output: z.object({ items: z.array(TodoLine) }),
  callers: ['gateway'],
});
