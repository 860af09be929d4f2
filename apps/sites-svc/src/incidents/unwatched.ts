import type { EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { minRecentSeconds, vigieId } from './conditions';
import { addEvents } from './incident-events';

/**
 * Notes that visits of sites were stored. Where those that were planned had been missing for long, nobody watched: an incident
 * of Vigie itself, over by now, says so once. What is younger than the oldest site is no such time: nothing was to be watched.
 */
export async function noteVisits(manager: EntityManager): Promise<void> {
  const [gap]: { since: Date }[] = await manager.query(
    `with last as (
       select id, visited_at, expected_at from network_state
       where expected_at is not null or visited_at is null or visited_at < now() - interval '10 seconds' for update),
     noted as (
       update network_state n set visited_at = now(), expected_at = null from last where n.id = last.id
       returning last.expected_at, greatest(last.visited_at, last.expected_at, (select min(created_at) from sites)) as since)
     select since from noted
     where expected_at is not null and since < now() - make_interval(secs => ${minRecentSeconds})`,
  );
  if (gap) await addUnwatched(manager, gap.since);
}

async function addUnwatched(manager: EntityManager, since: Date): Promise<void> {
  const id = uuid();
  await manager.query(
    `insert into incidents (id, kind, severity, cause_kind, cause_id, cause_name, observed_at, opened_at, resolved_at, resolution)
     values ($1, 'unwatched', 'critical', 'vigie', $2, 'Vigie', $3, $3, now(), 'recovered')`,
    [id, vigieId, since],
  );
  await manager.query(
    `insert into incident_subjects (incident_id, kind, subject_id, name, since, until, evidence)
     values ($1, 'vigie', $2, 'Vigie', $3, now(), '{"code":null,"reason":null,"ends_at":null}')`,
    [id, vigieId, since],
  );
  await addEvents(manager, [
    { incident_id: id, kind: 'observed', at: since },
    { incident_id: id, kind: 'resolved' },
  ]);
}
