import { FoundSite } from '@vigie/contracts/inventory';
import type { Discovery } from '@vigie/contracts/site-discovery';
import type { EntityManager } from 'typeorm';
import { z } from 'zod';
import type { Ending, Job } from '../jobs/job.entity';

const Found = z.object({ items: z.array(FoundSite).max(2_000), notes: z.array(z.string()).default([]) });

/** Says of each site that was found whether it is known already. */
export async function keepDiscovery(manager: EntityManager, job: Job, ending: Ending): Promise<Ending> {
  if (ending.state !== 'succeeded') return ending;
  const { items, notes } = Found.parse(ending.result);
  const known: { id: string; path: string }[] = await manager.query(
    'select id, wp_path as path from sites where server_id = $1 and wp_path = any($2::text[])',
    [job.serverId, items.map(({ path }) => path)],
  );
  const ids = new Map(known.map(({ id, path }) => [path, id]));
  const result: Discovery = { items: items.map((item) => ({ ...item, site_id: ids.get(item.path) ?? null })), notes };
  return { ...ending, result };
}
