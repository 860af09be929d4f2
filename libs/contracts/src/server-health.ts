import { z } from 'zod';
import { contract } from './contract';
import { SshAccess } from './credentials';
import { JobError } from './jobs';
import { serverIds } from './servers';
import { id, oneOf, timestamp } from './text';

/** What a host said of itself. */
export const Vitals = z.object({
  uptime_seconds: z.int().min(0).nullable(),
  /** Of one minute. */
  load: z.number().min(0).nullable(),
  cores: z.int().min(1).nullable(),
  mem_used_kib: z.int().min(0).nullable(),
  mem_total_kib: z.int().min(1).nullable(),
  /** The fullest real file system. */
  disk_pct: z.int().min(0).max(100).nullable(),
  disk_mount: z.string().max(300).nullable(),
  procs: z.int().min(0).nullable(),
  threads: z.int().min(0).nullable(),
  /** Of its clock against ours. */
  skew_seconds: z.int().nullable(),
});
export type Vitals = z.infer<typeof Vitals>;

/** What a look at a host found. `tcp`: its port answers, and `failure` says why no more is known. */
export const HostProbe = z.object({
  online: z.boolean(),
  method: z.enum(['ssh', 'tcp']).nullable(),
  host_key: z.string().nullable(),
  vitals: Vitals.nullable(),
  failure: JobError.nullable(),
});
export type HostProbe = z.infer<typeof HostProbe>;

/** By SSH, or with `tcp_only` by its port alone: a credential that was refused is not offered again by itself. */
export const SweepAccess = SshAccess.extend({ tcp_only: z.boolean() });
export type SweepAccess = z.infer<typeof SweepAccess>;

/** From where on a server is in alert: percents, and the load of a core, or of a host whose cores are not known. */
export const healthThresholds = { disk: 90, memory: 85, loadOfCore: 4, loadWithoutCores: 4 } as const;

/** Why a server is in alert: which threshold, and what was measured. */
export const HealthAlert = z.object({
  kind: z.enum(['status', 'disk', 'memory', 'load']),
  value: z.number().nullable(),
  threshold: z.number().nullable(),
  /** When a look first saw it; what is still so at the next look began then. */
  since: timestamp,
});
export type HealthAlert = z.infer<typeof HealthAlert>;

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
  /** Of the last hour, two minutes a place, where it was asked for; null where nothing was measured. */
  loads: z.array(z.number().nullable()).optional(),
});
export type HealthItem = z.infer<typeof HealthItem>;

const healthColumns = ['name', 'load', 'mem', 'disk', 'procs', 'threads'] as const;
export type HealthColumn = (typeof healthColumns)[number];
export const healthSorts = healthColumns.flatMap((column) => [column, `-${column}`] as const);
export type HealthSort = (typeof healthSorts)[number];

/** What is known, at once; `fresh=1` has it looked at again. */
export const readServersHealth = contract('sites.server-health.read', {
  input: z.object({
    ids: serverIds.optional(),
    /** `1`: only those in alert. */
    in_alert: oneOf(['0', '1']).default('0'),
    /** What is not known comes last, either way. */
    sort: oneOf(healthSorts).default('name'),
    history: oneOf(['0', '1']).default('0'),
    fresh: oneOf(['0', '1']).default('0'),
    offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
    /** Without it, all of them: the gateway asks for them in parts. */
    limit: z.coerce.number().int().min(1).max(500).optional(),
  }),
  output: z.object({
    items: z.array(HealthItem),
    updated_at: timestamp.nullable(),
    refreshing: z.boolean(),
    /** Of all that was asked for, whatever part of it is in `items`. */
    total: z.int(),
    alerts_total: z.int(),
  }),
  callers: ['gateway'],
});

/** The way to hosts that are due; those that are not there any more are left out. */
export const claimSweep = contract('sites.server-health.claim', {
  input: z.object({ ids: z.array(id).min(1).max(50) }),
  output: z.object({ items: z.array(SweepAccess) }),
  callers: ['ssh-agent'],
});

/** What was seen of each, as it was asked. */
export const reportSweep = contract('sites.server-health.report', {
  input: z.object({
    items: z
      .array(HostProbe.extend({ id, version: z.int() }))
      .min(1)
      .max(50),
  }),
  output: z.object({}),
  callers: ['ssh-agent'],
});

/** One host, now. */
export const probeServer = contract('agent.server-health.look', {
  input: SweepAccess,
  output: HostProbe,
  callers: ['sites-svc'],
  timeoutMs: 30_000,
});
