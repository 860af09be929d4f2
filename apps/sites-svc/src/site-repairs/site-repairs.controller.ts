import { Controller } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { quarantinedRule, checkForRepairs, type Repair, repairSite } from '@vigie/contracts/site-repairs';
import { Handles } from '@vigie/service-kit/handles';
import type { EntityManager } from 'typeorm';
import { RequestedJobs } from '../queue/requested-jobs';
import type { JobRequest } from '../queue/jobs';
import { lockSiteContext, toSiteJobInput, requireJobTarget } from '../sites/site-contexts';
import { auditRepairs } from './audit-repairs';

/** "Site cassé ?": finds out why a site does not work, and repairs it. */
@Controller()
export class SiteRepairsController {
  constructor(private readonly jobs: RequestedJobs) {}

  @Handles(checkForRepairs)
  async check(input: Input<typeof checkForRepairs>) {
    return this.jobs.createCheck(checkForRepairs, input, async (manager) => {
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
    const findRequest = async (manager: EntityManager): Promise<JobRequest> => {
      const context = await lockSiteContext(manager, siteId);
      return {
        kind: 'site-repairs.apply',
        target: requireJobTarget(context),
        input: { ...toSiteJobInput(context), repair },
        about: aboutOf(repair),
        isExclusive: true,
      };
    };
    return this.jobs.createOne(repairSite, input, findRequest, (manager, id) => auditRepairs(manager, [id]));
  }
}

function aboutOf(repair: Repair): string {
  if (repair.action === 'end_maintenance') return 'Fin de la maintenance';
  if (repair.action === 'set_aside') return `${repair.slug} mis de côté`;
  return `${quarantinedRule.exec(repair.aside)?.[2]?.replace(/\.php$/, '') ?? ''} remis`;
}
