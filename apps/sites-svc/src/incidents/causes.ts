import { domainToUnicode } from 'node:url';
import type { CauseKind, Evidence, Opinion, OpinionAnswer, SubjectKind } from '@vigie/contracts/incidents';
import type { EntityManager } from 'typeorm';
import { isDue, isRecent, openSubject, vigieId } from './conditions';
import { domainCause, domainEvidence, endsSoon } from './domain-causes';
import type { ConditionKind } from './kinds';

/** An opinion with the server that was the third place. */
export type StoredOpinion = Omit<Opinion, 'other'> & {
  other: (OpinionAnswer & { server_id: string; server_name: string }) | null;
};

/** A condition that no open incident holds yet. */
export type DueCondition = {
  subject_kind: SubjectKind;
  subject_id: string;
  kind: ConditionKind;
  name: string;
  since: Date;
  evidence: Evidence;
  opinion: StoredOpinion | null;
  server_id: string | null;
  server_name: string | null;
  domain_id: string | null;
  domain_name: string | null;
};

export type Cause = { kind: CauseKind; id: string; name: string };

/** The conditions whose failures suffice, with their server. A row outlives its site by moments. */
export const findDueConditions = (manager: EntityManager): Promise<DueCondition[]> =>
  manager.query(
    `select c.subject_kind, c.subject_id, c.kind, c.since, c.opinion,
       case when d.id is null then c.evidence else ${domainEvidence('d')} end as evidence,
       coalesce(s.name, v.name, 'Vigie') as name, s.server_id, host.name as server_name,
       ${domainCause('d.id', 's.owner_id')} as domain_id, d.name as domain_name
     from conditions c
       left join sites s on c.subject_kind = 'site' and s.id = c.subject_id
       left join servers v on c.subject_kind = 'server' and v.id = c.subject_id
       left join servers host on host.id = s.server_id
       left join site_domains l on c.kind = 'domain' and l.site_id = s.id left join domains d on d.id = l.domain_id
     where ${isDue('c')} and (c.kind <> 'domain' or d.id is not null and ${endsSoon('d')}) and ${isRecent('c.checked_at', 'c.seconds')}
       and coalesce(s.id, v.id, case when c.subject_kind = 'vigie' then c.subject_id end) is not null
       and not exists (${openSubject('c')})
     order by c.subject_kind <> 'vigie', c.since, c.subject_id`,
  );

/** Sites that began to fail within this time may have the same cause. */
const togetherMinutes = 30;

/**
 * The servers that are the cause of their sites' outages: they do not answer themselves, or half of their sites (and two at
 * least) fail together, or did within half an hour. The sites of a server with one that fails are checked each minute, so the
 * others have failed twice by the time that the first one has failed three times.
 */
async function findFailingServers(manager: EntityManager, serverIds: readonly string[]): Promise<Set<string>> {
  const failsLately = `c.kind = 'outage' and c.failures >= 2 and ${isRecent('c.checked_at', 'c.seconds')}`;
  const rows: { id: string }[] = await manager.query(
    `select v.id from unnest($1::uuid[]) v(id) cross join lateral (
       select count(*) as sites,
         count(*) filter (where c.since > now() - interval '${togetherMinutes} minutes') as failing
       from sites s left join conditions c on c.subject_id = s.id and ${failsLately}
       where s.server_id = v.id) n
     where n.failing >= 2 and n.failing * 2 >= n.sites
       or exists (select from conditions c where c.subject_id = v.id and ${failsLately})
       or exists (
         select from incidents i join incident_subjects m on m.incident_id = i.id and m.until is null
         where i.cause_id = v.id and i.kind = 'outage' and i.resolved_at is null
           and (m.kind = 'server' or m.since > now() - interval '${togetherMinutes} minutes'))`,
    [serverIds],
  );
  return new Set(rows.map(({ id }) => id));
}

/** The servers of which two sites at least began to lead elsewhere together, or did within half an hour: they have moved. */
async function findMovedServers(manager: EntityManager, serverIds: readonly string[]): Promise<Set<string>> {
  const rows: { id: string }[] = await manager.query(
    `select s.server_id as id from conditions c join sites s on s.id = c.subject_id
     where s.server_id = any($1::uuid[]) and c.kind = 'dns' and c.failures >= 1 and ${isRecent('c.checked_at', 'c.seconds')}
       and c.since > now() - greatest(interval '${togetherMinutes} minutes', make_interval(secs => 3 * c.seconds))
     group by 1 having count(*) >= 2
     union select i.cause_id from incidents i where i.cause_id = any($1::uuid[]) and i.kind = 'dns' and i.resolved_at is null
       and i.opened_at > now() - interval '${togetherMinutes} minutes'`,
    [serverIds],
  );
  return new Set(rows.map(({ id }) => id));
}

/** The servers that are the cause of what fails at their sites, by what that is. */
export type ServerCauses = Readonly<Partial<Record<ConditionKind, ReadonlySet<string>>>>;

export async function findServerCauses(manager: EntityManager, due: readonly DueCondition[]): Promise<ServerCauses> {
  const serversOf = (wanted: ConditionKind) => [
    ...new Set(due.flatMap(({ kind, server_id: id }) => (kind === wanted && id !== null ? [id] : []))),
  ];
  const [outage, dns] = [serversOf('outage'), serversOf('dns')];
  return {
    ...(outage.length > 0 && { outage: await findFailingServers(manager, outage) }),
    ...(dns.length > 0 && { dns: await findMovedServers(manager, dns) }),
  };
}

export function causeOf(condition: DueCondition, serverCauses: ServerCauses): Cause {
  const { subject_kind: kind, subject_id: id, server_id: serverId, server_name: serverName } = condition;
  if (kind === 'vigie') return { kind, id: vigieId, name: 'Vigie' };
  const { domain_id: domainId, domain_name: domainName } = condition;
  if (domainId !== null && domainName !== null)
    return { kind: 'domain', id: domainId, name: domainToUnicode(domainName) || domainName };
  const isOfServer = serverId !== null && serverCauses[condition.kind]?.has(serverId);
  return isOfServer ? { kind: 'server', id: serverId, name: serverName ?? '' } : { kind, id, name: condition.name };
}
