import { z } from 'zod';
import { contract } from './contract';
import { Logins, SshAccess } from './credentials';
import { JobError } from './jobs';
import { HealthAlert } from './server-state';
import { serverIds } from './servers';
import { id, offset, oneOf, timestamp } from './text';

/** Measurements that a host reported. */
export const Vitals = z.object({
  uptime_seconds: z.int().min(0).nullable(),
  /** One-minute load average. */
  load: z.number().min(0).nullable(),
  cores: z.int().min(1).nullable(),
  mem_used_kib: z.int().min(0).nullable(),
  mem_total_kib: z.int().min(1).nullable(),
  /** Usage of the fullest real file system. */
  disk_pct: z.int().min(0).max(100).nullable(),
  disk_mount: z.string().max(300).nullable(),
  procs: z.int().min(0).nullable(),
  threads: z.int().min(0).nullable(),
  /** Difference between the host's clock and Vigie's. */
  skew_seconds: z.int().nullable(),
});
export type Vitals = z.infer<typeof Vitals>;

/** Result of a probe of a host. `tcp` means that only its port answered, and `failure` says why. */
export const HostProbe = z.object({
  online: z.boolean(),
  method: z.enum(['ssh', 'tcp']).nullable(),
  host_key: z.string().nullable(),
  vitals: Vitals.nullable(),
  failure: JobError.nullable(),
});
export type HostProbe = z.infer<typeof HostProbe>;

/** Access for a periodic probe. With `tcp_only` it only opens the port, since the host refused the credential before. */
export const ProbeAccess = SshAccess.extend({ tcp_only: z.boolean() });
export type ProbeAccess = z.infer<typeof ProbeAccess>;

export const HealthItem = z.object({
  id,
  name: z.string(),
  host: z.string(),
  status: z.enum(['up', 'down', 'unknown']),
  load: z.number().nullable(),
  cores: z.int().nullable(),
  /** `used/total`. */
  mem: z.string().nullable(),
  mem_pct: z.int().nullable(),
  /** `NN%:/mount`. */
  disk: z.string().nullable(),
  procs: z.int().nullable(),
  threads: z.int().nullable(),
  skew_seconds: z.int().nullable(),
  alerts: z.array(HealthAlert),
  checked_at: timestamp.nullable(),
  /** Load averages of the last hour, one for every two minutes; null where none was measured. */
  loads: z.array(z.number().nullable()).optional(),
});
export type HealthItem = z.infer<typeof HealthItem>;

const healthColumns = ['name', 'load', 'mem', 'disk', 'procs', 'threads'] as const;
export type HealthColumn = (typeof healthColumns)[number];
export const healthSorts = healthColumns.flatMap((column) => [column, `-${column}`] as const);
export type HealthSort = (typeof healthSorts)[number];

/** Answers at once from the last probes; `fresh=1` also starts new ones. */
export const readServersHealth = contract('sites.server-health.read', {
  http: 'GET /api/servers/health',
  access: 'user',
  scope: 'read',
  answer: { pages: 'items' },
  reads: ['server-health', 'servers'],
  input: z.object({
    ids: serverIds.optional(),
    /** `1` lists only servers in alert. */
    in_alert: oneOf(['0', '1']).default('0'),
    /** Unknown values come last in both orders. */
    sort: oneOf(healthSorts).default('name'),
    history: oneOf(['0', '1']).default('0'),
    fresh: oneOf(['0', '1']).default('0'),
    offset,
    /** Lists everything without a limit; the gateway reads in pages. */
    limit: z.coerce.number().int().min(1).max(500).optional(),
  }),
  output: z.object({
    items: z.array(HealthItem),
    updated_at: timestamp.nullable(),
    refreshing: z.boolean(),
    /** Number of all matching servers, on all pages. */
    total: z.int(),
    alerts_total: z.int(),
  }),
});

export const HistoryRange = z.enum(['hour', 'day', 'month']);
export type HistoryRange = z.infer<typeof HistoryRange>;

/** The highest values of one step; null where the host did not report one. */
export const HealthPoint = z.object({
  at: timestamp,
  load: z.number().nullable(),
  mem_pct: z.int().nullable(),
  disk_pct: z.int().nullable(),
  procs: z.int().nullable(),
});
export type HealthPoint = z.infer<typeof HealthPoint>;

/** What was measured lately: single samples of the last hour, quarters of an hour before. */
export const readHealthHistory = contract('sites.server-health.history', {
  http: 'GET /api/servers/:id/health/history',
  access: 'user',
  scope: 'read',
  reads: ['server-health', 'servers'],
  input: z.object({ id, range: oneOf(HistoryRange.options).default('day') }),
  output: z.object({
    from: timestamp,
    to: timestamp,
    /** The usual time between two points: a longer one means that nothing was measured meanwhile. */
    step_seconds: z.int().min(1),
    /** The oldest first, 400 at most. */
    points: z.array(HealthPoint),
  }),
});

/** Returns the access to servers that are due for a probe. Deleted servers are omitted. */
export const claimSweep = contract('sites.server-health.claim', {
  input: z.object({ ids: z.array(id).min(1).max(50) }),
  output: z.object({ items: z.array(ProbeAccess) }),
  callers: ['ssh-agent'],
});

/** Reports probes with the `version` and `logins` of the access that was used. */
export const reportSweep = contract('sites.server-health.report', {
  input: z.object({
    items: z
      .array(HostProbe.extend({ id, version: z.int(), logins: Logins }))
      .min(1)
      .max(50),
  }),
  output: z.object({}),
  callers: ['ssh-agent'],
});

/** Probes one host at once. */
export const probeServer = contract('agent.server-health.look', {
  input: ProbeAccess,
  output: HostProbe,
  callers: ['sites-svc'],
  timeoutMs: 30_000,
});
