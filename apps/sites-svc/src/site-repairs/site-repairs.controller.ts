import { Controller } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { quarantinedRule, checkForRepairs, type Repair, repairSite } from '@vigie/contracts/site-repairs';
import { Handles } from '@vigie/service-kit/handles';
import { PendingJobs } from '../queue/pending-jobs';
import { PendingChecks } from '../queue/pending-checks';
import { Jobs } from '../queue/jobs';
import { lockSiteContext, toSiteJobInput, requireJobTarget } from '../sites/site-contexts';
import { auditRepairs } from './audit-repairs';

/** "Site cassé ?": finds out why a site does not work, and repairs it. */
@Controller()
export class SiteRepairsController {
  constructor(
    private readonly checks: PendingChecks,
    private readonly pendingJobs: PendingJobs,
    private readonly jobs: Jobs,
  ) {}

  @Handles(checkForRepairs)
  async check(input: Input<typeof checkForRepairs>) {
    return this.checks.createOne(checkForRepairs, input, async (manager) => {
      const context = await lockSiteContext(manager, input.id);
      return {
        kind: 'site-repairs.look',
        target: requireJobTarget(context),
        input: { site: toSiteJobInput(context).site },
      };
    });
  }

  @Handles(repairSite)
  async repair(input: Input<typeof repairSite>) {
    const { id: siteId, repair } = input;
    return this.pendingJobs.createOnce(repairSite, input, async (manager) => {
      const context = await lockSiteContext(manager, siteId);
      const target = requireJobTarget(context);
      return {
        pendingId: undefined,
        createJob: async (id) => {
          const jobInput = { ...toSiteJobInput(context), repair };
          const about = aboutOf(repair);
          await this.jobs.add(manager, {
            id,
            kind: 'site-repairs.apply',
            target,
            input: jobInput,
            about,
            isExclusive: true,
          });
          await auditRepairs(manager, [id]);
        },
      };
    });
  }
}

function aboutOf(repair: Repair): string {
  if (repair.action === 'end_maintenance') return 'Fin de la maintenance';
  if (repair.action === 'set_aside') return `${repair.slug} mis de côté`;
  return `${quarantinedRule.exec(repair.aside)?.[2]?.replace(/\.php$/, '') ?? ''} remis`;
}
