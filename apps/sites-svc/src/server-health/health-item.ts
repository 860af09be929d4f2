import type { HealthItem } from '@vigie/contracts/server-health';
import type { Server } from '../servers/server.entity';
import { memoryPercent, statusOf } from '../servers/alerts';

/** What the list reads of a server: neither its credential nor its keys. */
export type ListedServer = Pick<Server, 'id' | 'name' | 'host' | 'status' | 'vitals' | 'alerts'>;

export function toHealthItem(server: ListedServer, loads?: (number | null)[]): HealthItem {
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

/** Made once, because making one costs more than all else of a page. */
const oneDecimal = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 1 });
const gibibytes = (kib: number) => oneDecimal.format(kib / 1_048_576);

function memoryOf(vitals: Server['vitals']): string | null {
  const { mem_used_kib: used, mem_total_kib: total } = vitals ?? {};
  if (typeof used !== 'number' || typeof total !== 'number') return null;
  return `${gibibytes(used)}/${gibibytes(total)}\u00a0Gio`;
}
