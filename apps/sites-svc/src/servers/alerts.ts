import type { HealthItem, HostProbe } from '@vigie/contracts/server-health';
import { type HealthAlert, healthThresholds, loadThreshold } from '@vigie/contracts/server-state';
import type { StoredStatus } from './server.entity';

export type RaisedAlert = Omit<HealthAlert, 'since'>;

/** A port that answers proves nothing about the host behind it. */
export function statusOf(status: Pick<StoredStatus, 'online' | 'method'> | null): HealthItem['status'] {
  if (!status || status.online === null) return 'unknown';
  if (!status.online) return 'down';
  return status.method === 'ssh' ? 'up' : 'unknown';
}

export function memoryPercent(vitals: HostProbe['vitals']): number | null {
  const { mem_used_kib: used, mem_total_kib: total } = vitals ?? {};
  return typeof used === 'number' && typeof total === 'number' ? Math.min(100, Math.floor((100 * used) / total)) : null;
}

export function alertsOf({ online, method, vitals }: Pick<HostProbe, 'online' | 'method' | 'vitals'>): RaisedAlert[] {
  if (statusOf({ online, method }) !== 'up') return [{ kind: 'status', value: null, threshold: null }];
  const { disk_pct: disk = null, load = null, cores = null } = vitals ?? {};
  const alerts: RaisedAlert[] = [];
  const check = (kind: HealthAlert['kind'], value: number | null, threshold: number) => {
    if (value !== null && value >= threshold) alerts.push({ kind, value, threshold });
  };
  check('disk', disk, healthThresholds.disk);
  check('memory', memoryPercent(vitals), healthThresholds.memory);
  check('load', load, loadThreshold(cores));
  return alerts;
}
