import { SiteFacts } from '@vigie/contracts/inventory';
import { wpPath } from '@vigie/contracts/site-address';
import { SiteJobInput } from '@vigie/contracts/site-checks';
import type { EntityManager } from 'typeorm';
import { z } from 'zod';
import type { Ending, Job } from '../jobs/job.entity';
import { Server } from '../servers/server.entity';
import { keepLooks } from './keep-facts';

const Found = z.object({ facts: SiteFacts, host_key: z.string().nullish(), path: wpPath.nullish() });

/** What a test or an inspection found holds for the site as it was asked. */
export async function keepLook(manager: EntityManager, job: Job, ending: Ending): Promise<Ending> {
  const { success, data: input } = SiteJobInput.safeParse(job.input);
  if (!success) return ending;
  const { id, version } = input.site;
  // That no agent could take it up says nothing of the site.
  const isOfSite = job.access !== null || ending.error?.code !== 'unavailable';
  if (ending.state === 'failed' && ending.error && isOfSite) {
    await keepLooks(manager, [{ id, version, facts: null, failure: ending.error }]);
  }
  if (ending.state !== 'succeeded') return ending;
  const { facts, host_key: hostKey, path } = Found.parse(ending.result);
  await keepLooks(manager, [{ id, version, facts, failure: null, host_key: hostKey, path }]);
  const { access } = job;
  // Somebody asked, and it let us in.
  if (access?.row.table === 'servers') {
    await manager.update(Server, { id: access.row.id, version: access.version }, { refusal: null });
  }
  return ending;
}
