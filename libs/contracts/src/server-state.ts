import { z } from 'zod';
import { timestamp } from './text';

/** Alert thresholds: percentages, load per core, and load of a host whose number of cores is unknown. */
export const healthThresholds = { disk: 90, memory: 85, loadOfCore: 4, loadWithoutCores: 4 } as const;

export const loadThreshold = (cores: number | null): number =>
  cores === null ? healthThresholds.loadWithoutCores : cores * healthThresholds.loadOfCore;

/** A crossed threshold of a server, with the measured value. */
export const HealthAlert = z.object({
  kind: z.enum(['status', 'disk', 'memory', 'load']),
  value: z.number().nullable(),
  threshold: z.number().nullable(),
  /** The probe that first found the alert; later probes keep this time while the alert lasts. */
  since: timestamp,
});
export type HealthAlert = z.infer<typeof HealthAlert>;

export const ServerState = z.enum(['offline', 'alert', 'online', 'unknown']);
export type ServerState = z.infer<typeof ServerState>;

/** The one state of a server, for every screen. `online` is null before the first probe. */
export function serverState(online: boolean | null, alerts: readonly unknown[]): ServerState {
  if (online === false) return 'offline';
  if (alerts.length > 0) return 'alert';
  return online === null ? 'unknown' : 'online';
}
