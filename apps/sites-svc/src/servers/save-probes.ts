import type { HostProbe } from '@vigie/contracts/server-health';
import type { EntityManager } from 'typeorm';
import { toJsonb } from '../to-jsonb';
import { isCredentialRefusal } from './refusals';
import type { StoredStatus } from './server.entity';
import { shownKeyOf } from './shown-keys';
import { alertsOf, memoryPercent } from './alerts';

type ProbedServer = HostProbe & { id: string; version: number; logins?: number | undefined };

/** SQL: an alert that persists keeps its `since`; without vitals the other alerts stay as they were. */
const alertsNow = `case
  when r.is_up and r.vitals is null then jsonb_path_query_array(s.alerts, '$[*] ? (@.kind != "status")')
  else (
    select coalesce(jsonb_agg(a || jsonb_build_object('since', coalesce(
      (select o ->> 'since' from jsonb_array_elements(s.alerts) o where o ->> 'kind' = a ->> 'kind'),
      r.status ->> 'checked_at'))), '[]')
    from jsonb_array_elements(r.alerts) a) end`;

/**
 * Pins the first key that a host shows. Ignores outdated probes: those of an older version of a server, and those that
 * did not log in although others did meanwhile. Returns the servers whose probes were saved.
 */
export async function saveProbes(manager: EntityManager, probes: readonly ProbedServer[]): Promise<string[]> {
  const saved: { id: string }[] = await manager.query(
    `with seen as (
       select * from jsonb_to_recordset($1::jsonb) as r(
         id uuid, version int, logins int, status jsonb, refusal text, vitals jsonb, host_key text, shown_key text, alerts jsonb,
         is_up boolean, load real, mem_pct smallint, disk_pct smallint, procs int)
     ), kept as (
       update servers s set
         status = r.status || case
           when r.status ->> 'method' = 'tcp' and r.status ->> 'error' is null then jsonb_build_object('error', s.refusal)
           else '{}' end,
         refusal = case when r.is_up then null else coalesce(r.refusal, s.refusal) end,
         logins = s.logins + r.is_up::int,
         vitals = coalesce(r.vitals, s.vitals),
         alerts = ${alertsNow},
         host_key = coalesce(s.host_key, r.host_key),
         shown_key = case when r.is_up then null else coalesce(r.shown_key, s.shown_key) end
       from seen r
       where s.id = r.id and s.version = r.version and (r.is_up or s.logins = coalesce(r.logins, s.logins))
       returning s.id
     ), sampled as (
       insert into health_samples (server_id, is_up, load, mem_pct, disk_pct, procs)
       select r.id, r.is_up, r.load, r.mem_pct, r.disk_pct, r.procs from seen r join kept k on k.id = r.id
       on conflict do nothing
     )
     select id from kept`,
    [toJsonb(probes.map(toRow))],
  );
  return saved.map(({ id }) => id);
}

function toRow({ id, version, logins, online, method, host_key, vitals, failure }: ProbedServer) {
  const isRefused = isCredentialRefusal(failure?.code);
  return {
    id,
    version,
    logins,
    status: toStatus({ online, method, vitals, failure }),
    refusal: isRefused ? failure?.message : null,
    vitals,
    host_key,
    shown_key: shownKeyOf(failure),
    alerts: alertsOf({ online, method, vitals }),
    is_up: online && method === 'ssh',
    load: vitals?.load ?? null,
    mem_pct: memoryPercent(vitals),
    disk_pct: vitals?.disk_pct ?? null,
    procs: vitals?.procs ?? null,
  };
}

function toStatus({ online, method, vitals, failure }: Omit<HostProbe, 'host_key'>): StoredStatus {
  const uptime = vitals?.uptime_seconds ?? null;
  const now = Date.now();
  return {
    online,
    method,
    uptime_seconds: uptime,
    since: uptime === null ? null : new Date(now - uptime * 1000).toISOString(),
    error: failure?.message ?? null,
    checked_at: new Date(now).toISOString(),
  };
}
