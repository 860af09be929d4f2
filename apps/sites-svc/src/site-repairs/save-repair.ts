import { RepairInput, SiteRepairs } from '@vigie/contracts/site-repairs';
import type { EntityManager } from 'typeorm';
import { recordJobActivity } from '../activity/audit-events';
import type { JobOutcome, Job } from '../queue/job.entity';
import { saveSiteTest } from '../sites/save-site-test';
import { saveVisits } from '../sites/save-visits';

/** Stores the visit and the inspection that a repair check made. */
export async function saveRepairCheck(manager: EntityManager, job: Job, outcome: JobOutcome): Promise<JobOutcome> {
  const { look: check, facts: state } = SiteRepairs.safeParse(outcome.result).data ?? {};
  const { site } = RepairInput.pick({ site: true }).safeParse(job.input).data ?? {};
  if (check && site) await saveVisits(manager, [{ id: site.id, url: site.url, seen: check.pages.home }]);
  return state || outcome.state !== 'succeeded' ? saveSiteTest(manager, job, outcome) : outcome;
}

/** A refused repair says nothing about the site, and gets no line in the feed. */
export async function saveRepair(manager: EntityManager, job: Job, outcome: JobOutcome): Promise<JobOutcome> {
  const { data: input } = RepairInput.safeParse(job.input);
  if (outcome.state !== 'succeeded' || !input) return outcome;
  const { done: repaired } = SiteRepairs.parse(outcome.result);
  const details = { repair: input.repair, sentence: repaired?.sentence };
  await recordJobActivity(manager, job, { type: 'site_edit', siteId: job.siteId, details });
  return saveRepairCheck(manager, job, outcome);
}
