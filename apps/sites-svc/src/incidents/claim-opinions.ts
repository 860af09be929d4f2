import type { Opinion } from '@vigie/contracts/incidents';
import { tryLockName } from '@vigie/service-kit/locks';
import type { DataSource } from 'typeorm';
import { lockIncidents } from './conditions';
import { addEvents } from './incident-events';

/** Longer than two questions to servers may take: after that the process that asked has died. */
const askingSeconds = 60;
/** Many sites of a server that fail together have one cause, and the opinion about a few says it. */
const [maxOfServer, serverMinutes] = [3, 10];

const isOfOutage = (condition: string) => `${condition}.kind = 'outage' and ${condition}.subject_kind = 'site'`;
const placeOf = (site: string) => `coalesce(${site}.server_id, ${site}.id)`;

/**
 * Claims sites that failed twice and have no second opinion yet: one of each server at once. A site that Vigie may not visit
 * would be asked for in vain.
 */
export const claimOpinions = (database: DataSource, limit: number): Promise<string[]> =>
  database.transaction(async (manager) => {
    if (limit <= 0 || !(await tryLockName(manager, 'opinions'))) return [];
    const [claimed]: [{ id: string }[], number] = await manager.query(
      `update conditions c set opinion_at = now() from (
         select distinct on (${placeOf('s')}) w.subject_id from conditions w join sites s on s.id = w.subject_id
         where ${isOfOutage('w')} and w.failures >= 2 and w.opinion is null
           and w.checked_at > now() - interval '3 minutes'
           and (w.opinion_at is null or w.opinion_at < now() - interval '${askingSeconds} seconds')
           and w.evidence ->> 'reason' is distinct from 'Adresse non autorisée'
           and not exists (
             select from conditions o join sites n on n.id = o.subject_id
             where ${isOfOutage('o')} and ${placeOf('n')} = ${placeOf('s')}
               and o.opinion_at > now() - interval '${serverMinutes} minutes'
             having count(*) >= ${maxOfServer}
               or bool_or(o.opinion is null and o.opinion_at > now() - interval '${askingSeconds} seconds'))
         order by ${placeOf('s')}, w.since limit $1) due
       where c.subject_id = due.subject_id and c.kind = 'outage' returning c.subject_id as id`,
      [limit],
    );
    return claimed.map(({ id }) => id);
  });

/** Stores an opinion with the condition, and with its incident if that is open already. */
export async function saveOpinion(database: DataSource, siteId: string, opinion: Opinion): Promise<void> {
  await database.query(`update conditions set opinion = $2 where subject_id = $1 and kind = 'outage'`, [
    siteId,
    JSON.stringify(opinion),
  ]);
  await database.transaction(async (manager) => {
    await lockIncidents(manager);
    const [told]: [{ incident_id: string; name: string }[], number] = await manager.query(
      `update incident_subjects o set opinion = $2 from incidents i
       where i.id = o.incident_id and i.kind = 'outage' and o.subject_id = $1 and o.until is null and o.opinion is null
       returning o.incident_id, o.name`,
      [siteId, JSON.stringify(opinion)],
    );
    const events = told.map(({ incident_id: id, name }) => ({
      incident_id: id,
      kind: 'opinion' as const,
      subject: name,
      opinion,
    }));
    await addEvents(manager, events);
  });
}
