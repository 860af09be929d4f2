import type { Evidence, IncidentEventKind } from '@vigie/contracts/incidents';
import type { EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import type { StoredOpinion } from './causes';
import { toJsonb } from '../to-jsonb';

type NewEvent = {
  id?: string;
  incident_id: string;
  kind: IncidentEventKind;
  at?: Date;
  by?: string | null;
  subject_id?: string | null;
  subject?: string | null;
  text?: string;
  evidence?: Evidence;
  opinion?: StoredOpinion;
  count?: number;
  until?: Date | null;
};

export async function addEvents(manager: EntityManager, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  await manager.query(
    `insert into incident_events (id, incident_id, at, kind, by, subject_id, subject, text, evidence, opinion, count, until)
     select id, incident_id, coalesce(at, now()), kind, by, subject_id, subject, text, evidence, opinion, count, until
     from jsonb_to_recordset($1::jsonb) as e(id uuid, incident_id uuid, at timestamptz, kind text, by text,
       subject_id uuid, subject text, text text, evidence jsonb, opinion jsonb, count int, until timestamptz)`,
    [toJsonb(events.map((event) => ({ id: uuid(), ...event })))],
  );
}

export type CrowdSubject = { subject_id: string; name: string };
type Crowd = { incidentId: string; kind: 'joined' | 'recovered'; subjects: readonly CrowdSubject[] };

/** A thousand sites of a server come in groups: those of a few minutes make one line together. */
export async function addCrowd(manager: EntityManager, { incidentId, kind, subjects }: Crowd): Promise<void> {
  const [first] = subjects;
  if (!first) return;
  const [grown]: [unknown[], number] = await manager.query(
    `update incident_events set count = coalesce(count, 1) + $3, subject_id = null, subject = null where id = (
       select id from incident_events where incident_id = $1 and kind = $2 and at > now() - interval '5 minutes'
       order by at desc limit 1) returning id`,
    [incidentId, kind, subjects.length],
  );
  if (grown.length > 0) return;
  const about =
    subjects.length === 1 ? { subject_id: first.subject_id, subject: first.name } : { count: subjects.length };
  await addEvents(manager, [{ incident_id: incidentId, kind, ...about }]);
}
