import type { EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import {
  type Cause,
  causeOf,
  type DueCondition,
  findDueConditions,
  findServerCauses,
  type ServerCauses,
} from './causes';
import { addCrowd, addEvents, type CrowdSubject } from './incident-events';
import { toJsonb } from '../to-jsonb';
import { type ConditionKind, kindRules } from './kinds';

/** An incident that ended this recently goes on when its cause fails again. */
const reopenMinutes = 30;
/** After so many times it counts as one that comes and goes. */
const flappingReopenings = 2;
/** A younger incident of one site becomes a part of that of its server. */
const mergeMinutes = 10;

/** The others follow with the next report: the lock of incidents must not be held for long. */
const maxOpened = 200;

type Group = { cause: Cause; kind: ConditionKind; conditions: DueCondition[] };
type OpenIncident = { id: string; isNew: boolean };
type Opened = { kind: ConditionKind; since: Date };

/**
 * Opens incidents for the conditions that wait for one, or adds them to those that are open. The caller holds the lock of
 * incidents. What a killed process leaves undone is done with the next failed check.
 */
export async function openIncidents(manager: EntityManager): Promise<Opened[]> {
  const due = await findDueConditions(manager);
  const serverCauses = await findServerCauses(manager, due);
  const opened: Opened[] = [];
  for (const group of groupByCause(due, serverCauses).slice(0, maxOpened)) {
    await openGroup(manager, group);
    opened.push({ kind: group.kind, since: startOf(group) });
  }
  return opened;
}

const startOf = ({ conditions }: Group): Date =>
  new Date(Math.min(...conditions.map((condition) => condition.since.getTime())));

function groupByCause(due: readonly DueCondition[], serverCauses: ServerCauses): Group[] {
  const groups = new Map<string, Group>();
  for (const condition of due) {
    const cause = causeOf(condition, serverCauses);
    const key = `${condition.kind} ${cause.id}`;
    const group = groups.get(key) ?? { cause, kind: condition.kind, conditions: [] };
    groups.set(key, group);
    group.conditions.push(condition);
  }
  return [...groups.values()];
}

async function openGroup(manager: EntityManager, group: Group): Promise<void> {
  const incident = await findOrOpen(manager, group);
  await addSubjects(manager, incident.id, group.conditions);
  if (!incident.isNew) {
    const joined = group.conditions.filter(({ subject_id: id }) => id !== group.cause.id);
    await addCrowd(manager, { incidentId: incident.id, kind: 'joined', subjects: joined });
  }
  await addOpinions(manager, incident.id, group.conditions);
  if (group.cause.kind === 'server') await mergeSites(manager, incident.id, group);
}

async function findOrOpen(manager: EntityManager, group: Group): Promise<OpenIncident> {
  const { cause, kind, conditions } = group;
  const [open]: { id: string }[] = await manager.query(
    'select id from incidents where cause_id = $1 and kind = $2 and resolved_at is null',
    [cause.id, kind],
  );
  if (open) return { id: open.id, isNew: false };
  const [[reopened]]: [{ id: string }[], number] = await manager.query(
    `update incidents set resolved_at = null, resolution = null, reopened_at = now(), acknowledged_at = null, acknowledged_by = null,
       reopenings = reopenings + (resolution = 'recovered')::int,
       is_flapping = reopenings + (resolution = 'recovered')::int >= ${flappingReopenings}
     where id = (select id from incidents where cause_id = $1 and kind = $2 and resolution in ('recovered', 'closed')
       and resolved_at > now() - interval '${reopenMinutes} minutes' order by resolved_at desc limit 1)
     returning id`,
    [cause.id, kind],
  );
  const [first] = conditions;
  const aboutFirst = first && { subject_id: first.subject_id, subject: first.name, evidence: first.evidence };
  if (reopened) {
    await addEvents(manager, [{ incident_id: reopened.id, kind: 'reopened', ...aboutFirst }]);
    return { id: reopened.id, isNew: false };
  }
  const since = startOf(group);
  const id = uuid();
  await manager.query(
    `insert into incidents (id, kind, severity, cause_kind, cause_id, cause_name, observed_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [id, kind, kindRules[kind].severity, cause.kind, cause.id, cause.name, since],
  );
  const count = conditions.length > 1 ? { count: conditions.length } : {};
  await addEvents(manager, [
    { incident_id: id, kind: 'observed', at: since, ...aboutFirst },
    { incident_id: id, kind: 'opened', ...count },
  ]);
  return { id, isNew: true };
}

/** A subject that failed before in the same incident fails again in it. */
async function addSubjects(manager: EntityManager, id: string, conditions: readonly DueCondition[]): Promise<void> {
  const rows = conditions.map(({ subject_kind: kind, subject_id: subject, name, since, evidence, opinion }) => ({
    kind,
    subject_id: subject,
    name,
    since,
    evidence,
    opinion,
  }));
  await manager.query(
    `insert into incident_subjects (incident_id, kind, subject_id, name, since, evidence, opinion)
     select $1, kind, subject_id, name, since, evidence, opinion
     from jsonb_to_recordset($2::jsonb) as r(kind text, subject_id uuid, name text, since timestamptz, evidence jsonb, opinion jsonb)
     on conflict (incident_id, subject_id) do update set until = null, since = excluded.since, evidence = excluded.evidence, opinion = excluded.opinion`,
    [id, toJsonb(rows)],
  );
}

/** Opinions may come before the incident is opened. */
const addOpinions = (manager: EntityManager, id: string, conditions: readonly DueCondition[]): Promise<void> =>
  addEvents(
    manager,
    conditions.flatMap(({ opinion, subject_id: subjectId, name }) =>
      opinion
        ? [
            {
              incident_id: id,
              kind: 'opinion' as const,
              at: new Date(opinion.at),
              subject_id: subjectId,
              subject: name,
              opinion,
            },
          ]
        : [],
    ),
  );

/** Young incidents of single sites of a server turn out to be that of the server. */
async function mergeSites(manager: EntityManager, id: string, { cause, kind }: Group): Promise<void> {
  const [merged]: [{ id: string }[], number] = await manager.query(
    `update incidents i set resolved_at = now(), resolution = 'merged', merged_into = $2
     from sites s
     where s.server_id = $1 and i.cause_id = s.id and i.kind = $3 and i.resolved_at is null
       and i.opened_at > now() - interval '${mergeMinutes} minutes'
     returning i.id`,
    [cause.id, id, kind],
  );
  const ids = merged.map((incident) => incident.id);
  if (ids.length === 0) return;
  const [moved]: [{ subjects: CrowdSubject[] }[], number] = await manager.query(
    `with ended as (
       update incident_subjects set until = now() where incident_id = any($2::uuid[]) and until is null returning *),
     moved as (
       insert into incident_subjects (incident_id, kind, subject_id, name, since, evidence, opinion)
       select $1, kind, subject_id, name, since, evidence, opinion from ended
       on conflict (incident_id, subject_id) do update set until = null returning subject_id, name)
     update incidents i set observed_at = least(i.observed_at, (select min(since) from ended)),
       opened_at = least(i.opened_at, (select min(opened_at) from incidents where id = any($2::uuid[])))
     where i.id = $1 returning (select coalesce(json_agg(m), '[]') from moved m) as subjects`,
    [id, ids],
  );
  await addEvents(
    manager,
    ids.map((merge) => ({ incident_id: merge, kind: 'merged' as const })),
  );
  await addCrowd(manager, { incidentId: id, kind: 'joined', subjects: moved.flatMap(({ subjects }) => subjects) });
}
