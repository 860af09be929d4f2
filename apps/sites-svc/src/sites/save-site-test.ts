import { SiteState } from '@vigie/contracts/inventory';
import { wpPath } from '@vigie/contracts/site-address';
import { SiteJobInput } from '@vigie/contracts/site-checks';
import type { EntityManager } from 'typeorm';
import { z } from 'zod';
import type { JobOutcome, Job } from '../queue/job.entity';
import { loggedIn, Server } from '../servers/server.entity';
import { saveSiteReports } from './save-site-reports';

const SiteTestResult = z.object({ facts: SiteState, host_key: z.string().nullish(), path: wpPath.nullish() });

export async function saveSiteTest(manager: EntityManager, job: Job, outcome: JobOutcome): Promise<JobOutcome> {
  const { success, data: input } = SiteJobInput.safeParse(job.input);
  if (!success) return outcome;
  const { id, version } = input.site;
  // `unavailable` without access means that no agent took the job: it says nothing about the site.
  const concernsSite = job.access !== null || outcome.error?.code !== 'unavailable';
  if (outcome.state === 'failed' && outcome.error && concernsSite) {
    await saveSiteReports(manager, [{ id, version, logins: job.access?.logins, facts: null, failure: outcome.error }]);
  }
  if (outcome.state !== 'succeeded') return outcome;
  const { facts: state, host_key: hostKey, path } = SiteTestResult.parse(outcome.result);
  await saveSiteReports(manager, [{ id, version, facts: state, failure: null, host_key: hostKey, path }]);
  const { access } = job;
  // The server accepted the credential.
  if (access?.row.table === 'servers') {
    await manager.update(Server, { id: access.row.id, version: access.version }, loggedIn);
  }
  return outcome;
}
