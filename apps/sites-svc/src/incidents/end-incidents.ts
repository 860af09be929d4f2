import type { EntityManager } from 'typeorm';
import { hasRecovered, lockIncidents } from './conditions';
import { addCrowd, addEvents, type CrowdSubject } from './incident-events';
import { takeOutLeftSites } from './domain-causes';
import type { ConditionKind } from './kinds';

/** Ends what has recovered. The caller holds the lock of incidents. */
export async function endRecovered(manager: EntityManager): Promise<void> {
  const [ended]: [EndedSubject[], number] = await manager.query(
    `update incident_subjects o set until = now() from incidents i, conditions c
     where o.until is null and i.id = o.incident_id and c.subject_id = o.subject_id and c.kind = i.kind
       and ${hasRecovered('c', 'i')}
     returning o.incident_id, o.subject_id, o.name`,
  );
  const ids = [...new Set(ended.map((subject) => subject.incident_id))];
  for (const incidentId of ids) {
    const subjects = ended.filter((subject) => subject.incident_id === incidentId);
    await addCrowd(manager, { incidentId, kind: 'recovered', subjects });
  }
  await resolveEmpty(manager, ids, 'recovered');
}

/** Ends what no site is about any more, because it has another domain or owner by now. The caller holds the lock of incidents. */
export const endLeft = async (manager: EntityManager): Promise<void> =>
  resolveEmpty(manager, await takeOutLeftSites(manager), 'removed');

type EndedSubject = CrowdSubject & { incident_id: string };

async function resolveEmpty(
  manager: EntityManager,
  ids: readonly string[],
  resolution: 'recovered' | 'removed',
): Promise<void> {
  const [resolved]: [{ id: string }[], number] = await manager.query(
    `update incidents i set resolved_at = now(), resolution = $2, muted_until = null
     where i.id = any($1::uuid[]) and i.resolved_at is null
       and not exists (select from incident_subjects o where o.incident_id = i.id and o.until is null)
     returning i.id`,
    [ids, resolution],
  );
  const kind = resolution === 'recovered' ? 'resolved' : 'removed';
  await addEvents(
    manager,
    resolved.map(({ id }) => ({ incident_id: id, kind })),
  );
}

/**
 * Forgets what is known of sites or servers that are being deleted, and ends the incidents that were about them, or forgets
 * one kind alone. What fails on has an incident of its own with its next check.
 */
export async function removeSubjects(
  manager: EntityManager,
  ids: readonly string[],
  kind: ConditionKind | null = null,
): Promise<void> {
  await lockIncidents(manager);
  await manager.query(
    `delete from conditions where (subject_id, kind) in (
       select subject_id, kind from conditions where subject_id = any($1::uuid[]) and ($2::text is null or kind = $2)
       order by subject_id for update)`,
    [ids, kind],
  );
  const [ended]: [Pick<EndedSubject, 'incident_id'>[], number] = await manager.query(
    `update incident_subjects o set until = now() from incidents i
     where i.id = o.incident_id and o.until is null and ($2::text is null or i.kind = $2)
       and (o.subject_id = any($1::uuid[]) or i.cause_id = any($1::uuid[]) and i.resolved_at is null)
     returning o.incident_id`,
    [ids, kind],
  );
  await resolveEmpty(manager, [...new Set(ended.map((subject) => subject.incident_id))], 'removed');
}

/** Closes an incident by hand. Its subjects are counted from the start, so that it opens again if they go on failing. */
export async function closeIncident(manager: EntityManager, id: string, by: string): Promise<void> {
  const [closed]: [unknown[], number] = await manager.query(
    `update incidents set resolved_at = now(), resolution = 'closed', muted_until = null
     where id = $1 and resolved_at is null returning id`,
    [id],
  );
  if (closed.length === 0) return;
  await acceptAddresses(manager, id);
  // A condition that is being counted at this moment keeps its failures, and opens the incident again.
  await manager.query(
    `with ended as (
       update incident_subjects set until = now() where incident_id = $1 and until is null returning subject_id)
     delete from conditions where (subject_id, kind) in (
       select c.subject_id, c.kind from conditions c join ended e on e.subject_id = c.subject_id
       join incidents i on i.id = $1 and i.kind = c.kind for update of c skip locked)`,
    [id],
  );
  await addEvents(manager, [{ incident_id: id, kind: 'closed', by }]);
}

/** Who closes it says that the names of its sites lead where they should. What else they lead to is learned for a day. */
const acceptAddresses = (manager: EntityManager, id: string): Promise<unknown> =>
  manager.query(
    `update site_addresses a set known = a.current, is_accepted = true, learned_at = now() from (
       select m.site_id from site_addresses m
         join incident_subjects o on o.subject_id = m.site_id and o.until is null join incidents i on i.id = o.incident_id
       where i.id = $1 and i.kind = 'dns' order by m.site_id for no key update of m) accepted
     where a.site_id = accepted.site_id`,
    [id],
  );

const keptDays = 400;

/** A failure that was counted while its site was being deleted. */
export const deleteOrphanConditions = (manager: EntityManager): Promise<unknown> =>
  manager.query(
    `delete from conditions c where c.subject_kind <> 'vigie' and c.checked_at < now() - interval '1 hour'
       and c.subject_id not in (select id from sites union all select id from servers)`,
  );

/** Those that ended with what they were about go at once: nobody can reach them any more. */
export const deleteOldIncidents = (manager: EntityManager): Promise<unknown> =>
  manager.query(
    `delete from incidents where id in (
       select i.id from incidents i where i.resolved_at < now() - interval '${keptDays} days'
         or i.resolution = 'removed' and not exists (
           select from incident_subjects m where m.incident_id = i.id and (m.kind = 'vigie'
             or m.subject_id in (select id from sites) or m.subject_id in (select id from servers)))
       limit 1000)`,
  );
