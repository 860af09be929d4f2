import type { EntityManager } from 'typeorm';

/** What Vigie does to a site may take it away for a moment, and what comes back needs a moment to answer again. */
const graceMinutes = 2;

/** The sites that Vigie is changing itself, or has just changed. */
export async function findSitesUnderWork(manager: EntityManager, ids: readonly string[]): Promise<Set<string>> {
  const rows: { id: string }[] = await manager.query(
    `select distinct site_id as id from jobs
     where site_id = any($1::uuid[]) and (kind like 'changes.%' or kind in ('backups.restore', 'site-repairs.apply')) and started_at is not null
       and (finished_at is null or finished_at > now() - interval '${graceMinutes} minutes')
       and created_at > now() - interval '1 day'`,
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}
