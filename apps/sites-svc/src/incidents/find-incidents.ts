import type { CauseKind, Evidence, IncidentItem, IncidentKind, Severity, Verdict } from '@vigie/contracts/incidents';
import type { EntityManager } from 'typeorm';
import { sitesOfChannel } from '../groups/channel-groups';
import { callerIsAdministrator, isOwned } from '../owners/owner-filter';
import { reachesSite, reachingCaller } from '../owners/reach';
import { isOfDomain } from './domain-causes';

/** SQL condition: the caller reaches what this subject is. What is about Vigie itself only administrators can mend. */
export const reachesSubject = (subject: string, caller: string): string => `(
  exists (select from sites s where s.id = ${subject}.subject_id and ${reachesSite('s', caller)})
  or exists (select from servers v where v.id = ${subject}.subject_id and ${isOwned('v', caller)})
  or ${subject}.kind = 'vigie' and ${callerIsAdministrator()})`;

/** SQL condition: the caller reaches a site or server that the incident touches; of a domain, one that has not left it. */
const reachesIncident = (incident: string, caller: string): string => `exists (
  select from incident_subjects r where r.incident_id = ${incident}.id and ${reachesSubject('r', caller)}
    and (${incident}.cause_kind <> 'domain' or r.until is null or r.until = ${incident}.resolved_at))`;

/** SQL condition: the domain is the caller's, or all sites that it has ever touched, as far as they are still in Vigie, are. */
const reachesDomain = (incident: string, caller: string): string => `(
  exists (select from incident_subjects r join sites o on o.id = r.subject_id
    where r.incident_id = ${incident}.id and ${isOwned('o', caller)} and ${isOfDomain('o.id', incident)})
  or exists (select from incident_subjects r join sites s on s.id = r.subject_id where r.incident_id = ${incident}.id)
    and not exists (select from incident_subjects r join sites s on s.id = r.subject_id
      where r.incident_id = ${incident}.id and not ${reachesSite('s', caller)}))`;

/**
 * SQL condition: the caller reaches the cause. A server is its owner's alone, whose sites may be shared; a domain is that of
 * the owner of its sites, and of those who reach all of them.
 */
export const reachesCause = (incident: string, caller: string): string => `case ${incident}.cause_kind
  when 'server' then exists (select from servers v where v.id = ${incident}.cause_id and ${isOwned('v', caller)})
  when 'site' then exists (select from sites s where s.id = ${incident}.cause_id and ${reachesSite('s', caller)})
  when 'domain' then ${reachesDomain(incident, caller)}
  else ${callerIsAdministrator()} end`;

export type IncidentRow = {
  id: string;
  kind: IncidentKind;
  severity: Severity;
  cause_kind: CauseKind;
  cause_id: string;
  shown_name: string;
  reaches_cause: boolean;
  observed_at: Date;
  opened_at: Date;
  resolved_at: Date | null;
  resolution: IncidentItem['resolution'];
  merged_into: string | null;
  acknowledged_at: Date | null;
  acknowledged_by: string | null;
  muted_until: Date | null;
  is_flapping: boolean;
  reopenings: number;
  is_server_down: boolean;
  sites: number;
  failing: number;
  evidence: Evidence | null;
  verdict: Verdict | null;
};

/** The cause may have been renamed since. */
const currentName = `coalesce((select s.name from sites s where s.id = i.cause_id),
  (select v.name from servers v where v.id = i.cause_id), i.cause_name)`;

/** SQL for the incident `i`, with what the caller may know of its subjects. */
const itemColumns = (
  caller: string,
) => `i.*, ${currentName} as shown_name, coalesce(${reachesCause('i', caller)}, false) as reaches_cause,
  n.is_server_down, n.sites, n.failing, n.evidence, n.verdict`;

const subjectCounts = (caller: string) => `cross join lateral (
  select count(*) filter (where m.kind = 'site')::int as sites,
    count(*) filter (where m.kind = 'site' and m.until is null)::int as failing,
    coalesce(bool_or(m.kind = 'server' and (m.until is null or i.resolved_at is not null)), false) as is_server_down,
    (array_agg(m.evidence order by m.since, m.subject_id))[1] as evidence,
    (array_agg(m.opinion ->> 'verdict' order by m.since, m.subject_id) filter (where m.opinion is not null))[1] as verdict
  from incident_subjects m where m.incident_id = i.id and ${reachesSubject('m', caller)}) n`;

type Filters = {
  id?: string | undefined;
  state?: 'open' | 'resolved' | undefined;
  site_id?: string | undefined;
  server_id?: string | undefined;
  /** Those that recovered or were closed within so many hours. */
  endedHours?: number;
  /** Those that touch a site of the groups of this channel. */
  channelId?: string;
  limit: number;
  offset: number;
};

/** Older ones that have ended are found by their site or server. */
const maxListed = 10_000;

/** SQL for the ids of incidents that the filters name. */
function sourceOf({ id, site_id: siteId, server_id: serverId, endedHours: hours }: Filters): string {
  if (id !== undefined) return 'select $2::uuid as id';
  if (siteId !== undefined)
    return `select m.incident_id as id from incident_subjects m where m.subject_id = $2 and ${reachesSubject('m', '$1')}`;
  if (serverId !== undefined)
    return `select i.id from incidents i where i.cause_id = $2 and ${reachesCause('i', '$1')}
      union select m.incident_id from incident_subjects m where m.subject_id = $2 and ${reachesSubject('m', '$1')}`;
  if (hours !== undefined)
    return `select i.id from incidents i where $2::uuid is null and i.resolution in ('recovered', 'closed')
      and i.resolved_at > now() - interval '${hours} hours'`;
  return `select i.id from incidents i where $2::uuid is null and i.resolved_at is null
    union (select i.id from incidents i order by i.opened_at desc limit ${maxListed})`;
}

const order = 'i.resolved_at is not null, i.opened_at desc, i.id desc';

export async function findIncidents(
  manager: EntityManager,
  filters: Filters,
): Promise<{ rows: IncidentRow[]; total: number }> {
  const { id, state, site_id: siteId, server_id: serverId, channelId, limit, offset } = filters;
  const isInState = state ? `i.resolved_at is ${state === 'open' ? 'null' : 'not null'}` : 'true';
  const rows: (IncidentRow & { total: number })[] = await manager.query(
    `with source as (${sourceOf(filters)}),
     found as (select i.*, count(*) over ()::int as total from source join incidents i using (id)
       where ${isInState} and ${reachesIncident('i', '$1')}
         and ($5::uuid is null or exists (${sitesOfChannel('$5', 'i.id')})) order by ${order} limit $3 offset $4)
     select ${itemColumns('$1')}, i.total from found i ${subjectCounts('$1')} order by ${order}`,
    [reachingCaller(), id ?? siteId ?? serverId ?? null, limit, offset, channelId ?? null],
  );
  return { rows, total: rows[0]?.total ?? offset };
}

/** The name of a server that is not the caller's tells of a place that is not theirs. */
const hiddenCauses: Readonly<Partial<Record<CauseKind, string>>> = {
  server: 'Un serveur',
  site: 'Un site',
  vigie: 'Vigie',
};

const hasPage = (kind: CauseKind) => kind === 'site' || kind === 'server';

export const toIncidentItem = (row: IncidentRow): IncidentItem => ({
  id: row.id,
  kind: row.kind,
  severity: row.severity,
  state: row.resolved_at === null ? 'open' : 'resolved',
  cause: {
    kind: row.cause_kind,
    id: row.reaches_cause && hasPage(row.cause_kind) ? row.cause_id : null,
    // Who sees a site sees its address, and with it the domain.
    name: (row.reaches_cause ? undefined : hiddenCauses[row.cause_kind]) ?? row.shown_name,
  },
  is_server_down: row.is_server_down,
  sites: row.sites,
  failing: row.failing,
  evidence: row.evidence,
  verdict: row.verdict,
  observed_at: row.observed_at.toISOString(),
  opened_at: row.opened_at.toISOString(),
  resolved_at: row.resolved_at?.toISOString() ?? null,
  resolution: row.resolution,
  acknowledged_at: row.acknowledged_at?.toISOString() ?? null,
  acknowledged_by: row.acknowledged_by,
  muted_until: isFuture(row.muted_until) ? row.muted_until.toISOString() : null,
  is_flapping: row.is_flapping,
  reopenings: row.reopenings,
});

const isFuture = (at: Date | null): at is Date => at !== null && at.getTime() > Date.now();
