import type { Evidence, Opinion, OpinionAnswer, SubjectKind } from '@vigie/contracts/incidents';
import type { EntityManager } from 'typeorm';
import { isDue, isRecent, openSubject, vigieId } from './conditions';
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
};

export type Cause = { kind: SubjectKind; id: string; name: string };

/** The conditions whose failures suffice, with their server. A row outlives its site by moments. */
export const findDueConditions = (manager: EntityManager): Promise<DueCondition[]> =>
  manager.query(
    `select c.subject_kind, c.subject_id, c.kind, c.since, c.evidence, c.opinion,
       coalesce(s.name, v.name, 'Vigie') as name, s.server_id, host.name as server_name
     from conditions c
       left join sites s on c.subject_kind = 'site' and s.id = c.subject_id
       left join servers v on c.subject_kind = 'server' and v.id = c.subject_id
       left join servers host on host.id = s.server_id
     where ${isDue('c')} and ${isRecent('c.checked_at', 'c.seconds')}
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
export async function findFailingServers(manager: EntityManager, serverIds: readonly string[]): Promise<Set<string>> {
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

export function causeOf(condition: DueCondition, failingServers: ReadonlySet<string>): Cause {
  const { subject_kind: kind, subject_id: id, server_id: serverId, server_name: serverName } = condition;
  if (kind === 'vigie') return { kind, id: vigieId, name: 'Vigie' };
  const isOfServer = condition.kind === 'outage' && serverId !== null && failingServers.has(serverId);
  return isOfServer ? { kind: 'server', id: serverId, name: serverName ?? '' } : { kind, id, name: condition.name };
}
