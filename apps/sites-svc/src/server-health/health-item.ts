import type { HealthItem } from '@vigie/contracts/server-health';
import type { Server } from '../servers/server.entity';
import { memoryPercent, statusOf } from '../servers/alerts';

export function toHealthItem(server: Server, loads?: (number | null)[]): HealthItem {
  const { id, name, host, status, vitals, alerts } = server;
  const { load, cores, procs, threads, skew_seconds, disk_pct: disk } = vitals ?? noVitals;
  return {
    id,
    name,
    host,
    status: statusOf(status),
    load,
    cores,
    mem: memoryOf(vitals),
    mem_pct: memoryPercent(vitals),
    disk: disk === null ? null : `${disk}%:${vitals?.disk_mount ?? '/'}`,
    procs,
    threads,
    skew_seconds,
    alerts,
    checked_at: status?.checked_at ?? null,
    ...(loads && { loads }),
  };
}

const noVitals = { load: null, cores: null, procs: null, threads: null, skew_seconds: null, disk_pct: null };

const gibibytes = (kib: number) => (kib / 1_048_576).toLocaleString('fr-FR', { maximumFractionDigits: 1 });

function memoryOf(vitals: Server['vitals']): string | null {
  const { mem_used_kib: used, mem_total_kib: total } = vitals ?? {};
  if (typeof used !== 'number' || typeof total !== 'number') return null;
  return `${gibibytes(used)}/${gibibytes(total)}\u00a0Gio`;
}
