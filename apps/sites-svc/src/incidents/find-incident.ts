import { AppError } from '@vigie/contracts/errors';
import type { Incident, IncidentEvent, IncidentSubject, Opinion, OpinionAnswer } from '@vigie/contracts/incidents';
import type { StoredOpinion } from './causes';
import type { EntityManager } from 'typeorm';
import { reachesChannel } from '../owners/reach-channels';
import { isOwned } from '../owners/owner-filter';
import { reachingCaller, withSharedRole } from '../owners/reach';
import { findIncidents, type IncidentRow, reachesCause, reachesSubject, toIncidentItem } from './find-incidents';

const [maxSubjects, maxEvents, maxTasks, maxAlerts] = [200, 500, 50, 50];

const unknownIncident = () => new AppError('not_found', 'Cet incident n’existe pas ou n’existe plus.');

/** What the caller may know of it, by the least role. */
export const findIncident = (manager: EntityManager, id: string): Promise<Incident> =>
  withSharedRole('viewer', () => findWhole(manager, id));

async function findWhole(manager: EntityManager, id: string): Promise<Incident> {
  const [row] = (await findIncidents(manager, { id, limit: 1, offset: 0 })).rows;
  if (!row) throw unknownIncident();
  const rights = await findRights(manager, id);
  const subjects = await findSubjects(manager, id, rights);
  const events = [
    ...(await findEvents(manager, row, rights)),
    ...(await findTasks(manager, row)),
    ...(await findAlerts(manager, row)),
  ];
  return {
    ...toIncidentItem(row),
    merged_into: row.merged_into,
    subjects,
    events: events.toSorted((one, other) => one.at.localeCompare(other.at)),
    can_act: rights.can_act,
  };
}

/** `sees_all`: nothing of it belongs to others. `servers`: those of the opinions that are the caller's own. */
type Rights = { can_act: boolean; sees_all: boolean; owns: boolean; servers: string[] };

/** An incident of a server concerns all of its sites, so only its owner may act on it. */
async function findRights(manager: EntityManager, id: string): Promise<Rights> {
  const canAct = withSharedRole('operator', () => reachesCause('i', '$1'));
  const [rights]: Rights[] = await manager.query(
    `select coalesce(${canAct}, false) as can_act,
       coalesce(${reachesCause('i', '$1')}, false) or not exists (
         select from incident_subjects m where m.incident_id = i.id and not ${reachesSubject('m', '$1')}) as sees_all,
       exists (select from incident_subjects m left join sites s on s.id = m.subject_id left join servers v on v.id = m.subject_id
         where m.incident_id = i.id and (${isOwned('s', '$1')} or ${isOwned('v', '$1')})) as owns,
       array(select v.id from servers v where ${isOwned('v', '$1')} and v.id in (
         select (e.opinion #>> '{other,server_id}')::uuid from incident_events e where e.incident_id = i.id and e.kind = 'opinion')) as servers
     from incidents i where i.id = $2`,
    [reachingCaller(), id],
  );
  return rights ?? { can_act: false, sees_all: false, owns: false, servers: [] };
}

type SubjectRow = Omit<IncidentSubject, 'since' | 'until' | 'opinion'> & {
  since: Date;
  until: Date | null;
  opinion: StoredOpinion | null;
};

async function findSubjects(manager: EntityManager, id: string, rights: Rights): Promise<IncidentSubject[]> {
  const rows: SubjectRow[] = await manager.query(
    `select m.kind, coalesce(s.id, v.id) as id, coalesce(s.name, v.name, m.name) as name,
       m.since, m.until, m.evidence, m.opinion
     from incident_subjects m left join sites s on s.id = m.subject_id left join servers v on v.id = m.subject_id
     where m.incident_id = $2 and ($3 and coalesce(s.id, v.id) is null or ${reachesSubject('m', '$1')})
     order by m.until is not null, m.kind = 'site', m.since, name limit ${maxSubjects}`,
    [reachingCaller(), id, rights.sees_all],
  );
  return rows.map(({ since, until, opinion, ...subject }) => ({
    ...subject,
    opinion: toOpinion(opinion, rights),
    since: since.toISOString(),
    until: until?.toISOString() ?? null,
  }));
}

const notAsked = 'Ce serveur n’a pas pu être interrogé.';

/** Why a server could not be asked names its address, which a grant never shows. */
const hidePlace = (answer: OpinionAnswer, isOwn: boolean): OpinionAnswer =>
  isOwn || answer.code !== null ? answer : { ...answer, error: notAsked };

function toOpinion(opinion: StoredOpinion | null, { owns, servers }: Rights): Opinion | null {
  if (!opinion) return null;
  const { own, other, verdict, at } = opinion;
  const isKnown = other !== null && servers.includes(other.server_id);
  return {
    verdict,
    at,
    own: hidePlace(own, owns),
    other: other && {
      code: other.code,
      ms: other.ms,
      error: hidePlace(other, isKnown).error,
      server_name: isKnown ? other.server_name : null,
    },
  };
}

type EventRow = Omit<IncidentEvent, 'at' | 'until' | 'job' | 'opinion'> & {
  at: Date;
  until: Date | null;
  opinion: StoredOpinion | null;
};

/** A person who reaches only some subjects reads no comment, no number, and no line about the others. */
async function findEvents(manager: EntityManager, { id }: IncidentRow, rights: Rights): Promise<IncidentEvent[]> {
  const rows: EventRow[] = await manager.query(
    `select at, kind, by, subject, text, evidence, opinion, case when $3 then count end as count, until from (
       select * from incident_events e where e.incident_id = $2
         and ($3 or e.kind <> 'commented' and (e.count is null or e.kind = 'opened') and (e.subject_id is null or e.subject_id in (
           select m.subject_id from incident_subjects m where m.incident_id = $2 and ${reachesSubject('m', '$1')})))
       order by at desc, id desc limit ${maxEvents}) last
     order by at, id`,
    [reachingCaller(), id, rights.sees_all],
  );
  return rows.map(({ at, until, opinion, ...event }) => ({
    ...event,
    at: at.toISOString(),
    until: until?.toISOString() ?? null,
    opinion: toOpinion(opinion, rights),
    job: null,
  }));
}

type TaskRow = {
  id: string;
  kind: string;
  state: string;
  started_at: Date;
  actor_name: string | null;
  site_name: string;
};

/** What Vigie did shortly before the first failure may be its reason. */
const minutesBefore = 60;

/** What Vigie did to the sites meanwhile, and shortly before. */
async function findTasks(manager: EntityManager, row: IncidentRow): Promise<IncidentEvent[]> {
  const rows: TaskRow[] = await manager.query(
    `select j.id, j.kind, j.state, j.started_at, j.actor_name, j.site_name
     from incident_subjects m join jobs j on j.site_id = m.subject_id
     where m.incident_id = $2 and m.kind = 'site' and not j.is_batch and j.is_exclusive
       and j.started_at between $3::timestamptz - interval '${minutesBefore} minutes' and coalesce($4, now()) and ${reachesSubject('m', '$1')}
     order by j.started_at limit ${maxTasks}`,
    [reachingCaller(), row.id, row.observed_at, row.resolved_at],
  );
  return rows.map(({ id, kind, state, started_at: at, actor_name: by, site_name: subject }) => ({
    ...noDetails,
    at: at.toISOString(),
    kind: 'task' as const,
    by,
    subject,
    job: { id, kind, state },
  }));
}

type AlertRow = { state: 'sent' | 'failed'; ended_at: Date; name: string; error: string | null };

/** What channels of the caller said of it. */
async function findAlerts(manager: EntityManager, { id }: IncidentRow): Promise<IncidentEvent[]> {
  const rows: AlertRow[] = await manager.query(
    `select d.state, d.ended_at, d.error, c.name from deliveries d join channels c on c.id = d.channel_id
     where d.incident_id = $2 and d.state in ('sent', 'failed') and ${reachesChannel('c', '$1')}
     order by d.ended_at limit ${maxAlerts}`,
    [reachingCaller(), id],
  );
  return rows.map(({ state, ended_at: at, name, error }) => ({
    ...noDetails,
    at: at.toISOString(),
    kind: state === 'sent' ? ('alerted' as const) : ('alert_failed' as const),
    by: null,
    subject: name,
    text: error,
    job: null,
  }));
}

const noDetails = { text: null, evidence: null, opinion: null, count: null, until: null };
