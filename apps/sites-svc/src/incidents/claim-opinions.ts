import { tryLockName } from '@vigie/service-kit/locks';
import type { DataSource } from 'typeorm';
import { toJsonb } from '../to-jsonb';
import type { StoredOpinion } from './causes';
import { lockIncidents } from './conditions';
import { addEvents } from './incident-events';

/** Longer than two questions to servers may take: after that the process that asked has died. */
const askingSeconds = 60;
/** Many sites of a server that fail together have one cause, and the opinion about a few says it. */
const [maxOfServer, serverMinutes] = [3, 10];

/** Claims sites that failed twice and have no second opinion yet: one of each server at once. */
export const claimOpinions = (database: DataSource, limit: number): Promise<string[]> =>
  database.transaction(async (manager) => {
    if (limit <= 0 || !(await tryLockName(manager, 'opinions'))) return [];
    const [claimed]: [{ id: string }[], number] = await manager.query(
      `with failing as materialized (
         select c.*, coalesce(s.server_id, s.id) as place from conditions c join sites s on s.id = c.subject_id
         where c.kind = 'outage' and c.subject_kind = 'site'
       ), busy as (
         select place from failing where opinion_at > now() - interval '${serverMinutes} minutes' group by place
         having count(*) >= ${maxOfServer}
           or bool_or(opinion is null and opinion_at > now() - interval '${askingSeconds} seconds')
       ), due as (
         select distinct on (place) subject_id from failing
         where failures >= 2 and opinion is null and checked_at > now() - interval '3 minutes'
           and (opinion_at is null or opinion_at < now() - interval '${askingSeconds} seconds')
           and place not in (table busy)
         order by place, since limit $1
       ), locked as materialized (
         select subject_id from conditions where kind = 'outage' and subject_id in (table due)
         order by subject_id for update skip locked)
       update conditions c set opinion_at = now() from locked l
       where c.subject_id = l.subject_id and c.kind = 'outage' returning c.subject_id as id`,
      [limit],
    );
    return claimed.map(({ id }) => id);
  });

/** Stores an opinion with the condition, and with its incident if that is open already. */
export const saveOpinion = (database: DataSource, siteId: string, opinion: StoredOpinion): Promise<void> =>
  database.transaction(async (manager) => {
    await lockIncidents(manager);
    await manager.query(`update conditions set opinion = $2 where subject_id = $1 and kind = 'outage'`, [
      siteId,
      toJsonb(opinion),
    ]);
    const [subjects]: [{ incident_id: string; name: string }[], number] = await manager.query(
      `update incident_subjects o set opinion = $2 from incidents i
       where i.id = o.incident_id and i.kind = 'outage' and o.subject_id = $1 and o.until is null and o.opinion is null
       returning o.incident_id, o.name`,
      [siteId, toJsonb(opinion)],
    );
    const kind = 'opinion' as const;
    await addEvents(
      manager,
      subjects.map(({ incident_id: id, name }) => ({
        incident_id: id,
        kind,
        subject_id: siteId,
        subject: name,
        opinion,
      })),
    );
  });
