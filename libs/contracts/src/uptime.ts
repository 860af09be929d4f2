import { z } from 'zod';
import { contract } from './contract';
import { SiteDomain } from './domains';
import { splitIds } from './servers';
import { id, oneOf, timestamp } from './text';

/**
 * What a check of a site found. `excused`: Vigie itself was working on the site, or it was in maintenance. `unsure`: Vigie's own network was down, so
 * the check says nothing. Neither counts for or against the uptime.
 */
export const BeatState = z.enum(['up', 'down', 'excused', 'unsure']);
export type BeatState = z.infer<typeof BeatState>;

export const beatCount = 30;

const Beat = z.object({
  at: timestamp,
  state: BeatState,
  /** 0 without an answer. */
  code: z.int(),
  ms: z.int().nullable(),
});
export type Beat = z.infer<typeof Beat>;

/** In percent; null where nothing was checked. */
const percent = z.number().min(0).max(100).nullable();

const UptimePoint = z.object({
  at: timestamp,
  ups: z.int(),
  downs: z.int(),
  /** Checks that are excused or unsure. */
  others: z.int(),
  /** Half of the good answers took this many milliseconds or less; null without one. */
  p50: z.int().nullable(),
  p95: z.int().nullable(),
});
export type UptimePoint = z.infer<typeof UptimePoint>;

/** Where the name of a site leads, as visits found out. */
const SiteAddresses = z.object({
  current: z.array(z.string()),
  /** Before the last change that left no address as it was, and when that was; empty and null without one. */
  previous: z.array(z.string()),
  changed_at: timestamp.nullable(),
});
export type SiteAddresses = z.infer<typeof SiteAddresses>;

/** How reachable a site was: by hours for a day or a week, by days for longer. */
export const readUptime = contract('sites.uptime.read', {
  http: 'GET /api/sites/:id/uptime',
  access: 'user',
  scope: 'read',
  grantRole: 'viewer',
  reads: ['uptime', 'sites', 'maintenance'],
  input: z.object({ id, days: oneOf(['1', '7', '30', '90']).default('7') }),
  output: z.object({
    /** Since when the site is checked; null before the first check. */
    since: timestamp.nullable(),
    uptime: z.object({ day: percent, week: percent, month: percent, quarter: percent }),
    from: timestamp,
    to: timestamp,
    step_seconds: z.int().min(1),
    /** The oldest first. A step without a check is left out. */
    points: z.array(UptimePoint),
    /** The last checks, the oldest first. */
    beats: z.array(Beat).max(beatCount),
    /** The usual seconds between two checks. */
    interval_seconds: z.int().min(1),
    /** When the maintenance that runs now ends; null outside of one. */
    maintenance_until: timestamp.nullable().default(null),
    /** Null where the site has no registered domain of its own. */
    domain: SiteDomain.nullable(),
    /** Null before the site answered. */
    addresses: SiteAddresses.nullable(),
  }),
});
export type Uptime = z.output<typeof readUptime.output>;

const siteIds = z
  .string()
  .transform(splitIds)
  .pipe(z.array(id).max(100, 'Demandez 100 sites au plus.'))
  .transform((ids) => ids.join(','));

/** The last checks and the uptime of the last day, of several sites. */
export const readHeartbeats = contract('sites.uptime.heartbeats', {
  http: 'GET /api/sites/heartbeats',
  access: 'user',
  scope: 'read',
  grantRole: 'viewer',
  reads: ['uptime', 'sites'],
  input: z.object({ ids: siteIds }),
  output: z.object({
    /** Sites that the caller does not reach are omitted. */
    items: z.array(z.object({ id, beats: z.array(BeatState).max(beatCount), uptime_day: percent })),
  }),
});
