import { RepairInput, SiteRepairs } from '@vigie/contracts/site-repairs';
import type { EntityManager } from 'typeorm';
import { recordEnd } from '../activity/doings';
import type { Ending, Job } from '../jobs/job.entity';
import { keepLook } from '../sites/keep-look';
import { keepVisits } from '../sites/keep-visits';

/** What a look found, by WordPress and by a visit, holds for the site as it was asked. */
export async function keepExamination(manager: EntityManager, job: Job, ending: Ending): Promise<Ending> {
  const { look, facts } = SiteRepairs.safeParse(ending.result).data ?? {};
  const { site } = RepairInput.pick({ site: true }).safeParse(job.input).data ?? {};
  if (look && site) await keepVisits(manager, [{ id: site.id, url: site.url, seen: look.pages.home }]);
  return facts || ending.state !== 'succeeded' ? keepLook(manager, job, ending) : ending;
}

/** What was done to a site, by whom; that it was refused says nothing of the site. */
export async function keepRepair(manager: EntityManager, job: Job, ending: Ending): Promise<Ending> {
  const { data: input } = RepairInput.safeParse(job.input);
  if (ending.state !== 'succeeded' || !input) return ending;
  const { done } = SiteRepairs.parse(ending.result);
  const details = { repair: input.repair, sentence: done?.sentence };
  await recordEnd(manager, job, { type: 'site_edit', siteId: job.siteId, details });
  return keepExamination(manager, job, ending);
}
