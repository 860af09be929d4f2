import type { HealthAlert, HealthItem } from '@vigie/contracts/server-health';
import type { Server } from '../servers/server.entity';
import { memoryPercent } from './keep-seen';

export const thresholds = { disk: 90, memory: 85, loadOfCore: 4, loadWithoutCores: 4 };

export function toHealthItem(server: Server, loads?: (number | null)[]): HealthItem {
  const { id, name, host, status, vitals } = server;
  const { load, cores, procs, threads, skew_seconds, disk_pct: disk } = vitals ?? silent;
  const item = {
    id,
    name,
    host,
    status: statusOf(server),
    load,
    cores,
    mem: memoryOf(vitals),
    mem_pct: memoryPercent(vitals),
    disk: disk === null ? null : `${disk}%:${vitals?.disk_mount ?? '/'}`,
    procs,
    threads,
    skew_seconds,
    checked_at: status?.checked_at ?? null,
  };
  return { ...item, alerts: alertsOf(item, disk), ...(loads && { loads }) };
}

const silent = { load: null, cores: null, procs: null, threads: null, skew_seconds: null, disk_pct: null };

/** A port that answers says nothing of the host behind it. */
function statusOf({ status }: Server): HealthItem['status'] {
  if (!status || status.online === null) return 'unknown';
  if (!status.online) return 'down';
  return status.method === 'ssh' ? 'up' : 'unknown';
}

type Measured = Pick<HealthItem, 'status' | 'load' | 'cores' | 'mem_pct' | 'checked_at'>;

function alertsOf({ status, load, cores, mem_pct: memory, checked_at: at }: Measured, disk: number | null) {
  const alerts: HealthAlert[] = [];
  if (at === null) return alerts;
  if (status !== 'up') return [{ kind: 'status' as const, value: null, threshold: null }];
  const check = (kind: HealthAlert['kind'], value: number | null, threshold: number) => {
    if (value !== null && value >= threshold) alerts.push({ kind, value, threshold });
  };
  check('disk', disk, thresholds.disk);
  check('memory', memory, thresholds.memory);
  check('load', load, cores === null ? thresholds.loadWithoutCores : cores * thresholds.loadOfCore);
  return alerts;
}

const gibibytes = (kib: number) => (kib / 1_048_576).toLocaleString('fr-FR', { maximumFractionDigits: 1 });

function memoryOf(vitals: Server['vitals']): string | null {
  const { mem_used_kib: used, mem_total_kib: total } = vitals ?? {};
  if (typeof used !== 'number' || typeof total !== 'number') return null;
  return `${gibibytes(used)}/${gibibytes(total)}\u00a0Gio`;
}
