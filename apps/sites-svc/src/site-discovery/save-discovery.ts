import { DiscoveredSite } from '@vigie/contracts/inventory';
import type { Discovery } from '@vigie/contracts/site-discovery';
import type { EntityManager } from 'typeorm';
import { z } from 'zod';
import type { JobOutcome, Job } from '../queue/job.entity';

/** Matches registered sites by folder, or by address while the folder is unknown. */
export const existingSitesSql = `select s.id, r.path from sites s
  join jsonb_to_recordset($2::jsonb) as r(path text, url text) on s.wp_path = r.path or (s.wp_path is null and s.url = r.url)
  where s.server_id = $1 order by s.id desc`;

const DiscoveryResult = z.object({ items: z.array(DiscoveredSite).max(2_000), notes: z.array(z.string()).default([]) });

/** Adds the id of the registered site, if there is one, to each discovered site. */
export async function saveDiscovery(manager: EntityManager, job: Job, outcome: JobOutcome): Promise<JobOutcome> {
  if (outcome.state !== 'succeeded') return outcome;
  const { items, notes } = DiscoveryResult.parse(outcome.result);
  const existingSites: { id: string; path: string }[] = await manager.query(existingSitesSql, [
    job.serverId,
    JSON.stringify(items.map(({ path, url }) => ({ path, url: url?.replace(/\/$/, '') }))),
  ]);
  const ids = new Map(existingSites.map(({ id, path }) => [path, id]));
  const result: Discovery = { items: items.map((item) => ({ ...item, site_id: ids.get(item.path) ?? null })), notes };
  return { ...outcome, result };
}
