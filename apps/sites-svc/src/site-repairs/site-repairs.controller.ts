import { Controller } from '@nestjs/common';
import { planChanged } from '@vigie/contracts/changed-plans';
import type { Input } from '@vigie/contracts/contract';
import type { AppError } from '@vigie/contracts/errors';
import { quarantinedRule, checkForRepairs, type Repair, repairSite } from '@vigie/contracts/site-repairs';
import { Handles } from '@vigie/service-kit/handles';
import type { EntityManager } from 'typeorm';
import { RequestedJobs } from '../queue/requested-jobs';
import type { JobRequest } from '../queue/jobs';
import { lockSiteContext, toSiteJobInput, requireJobTarget } from '../sites/site-contexts';
import { refuseOtherPlace } from '../sites/site-place';
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
    const { id: siteId, repair, expected_check: checkId, expected_place: place } = input;
    const findRequest = async (manager: EntityManager): Promise<JobRequest | AppError> => {
      const context = await lockSiteContext(manager, siteId);
      const moved = refuseOtherPlace(context, place);
      if (moved) return moved;
      if (checkId !== undefined && !(await isNewestCheck(manager, siteId, checkId))) return outdatedCheck();
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

/**
 * Whether the site is as this check saw it, as far as Vigie knows: it has done nothing there since, and will not before. A
 * check that only looks runs beside other work, which counts from its start; that of a repair follows its own work.
 */
async function isNewestCheck(manager: EntityManager, siteId: string, checkId: string): Promise<boolean> {
  const [row]: { is_newest: boolean }[] = await manager.query(
    `select not exists (select from jobs j where j.site_id = $1 and j.id <> c.id and (
         j.is_exclusive and (j.finished_at is null or j.finished_at >
           coalesce(case c.kind when 'site-repairs.look' then c.started_at end, c.finished_at))
         or j.kind = 'site-repairs.look' and j.state = 'succeeded' and j.finished_at > c.finished_at)) as is_newest
     from jobs c where c.id = $2 and c.site_id = $1 and c.kind like 'site-repairs.%' and c.state = 'succeeded'`,
    [siteId, checkId],
  );
  return row?.is_newest === true;
}

const outdatedCheck = () =>
  planChanged(
    'Ce site a été examiné, réparé ou modifié depuis cet examen : rien n’est réparé. Examinez-le de nouveau.',
  );

function aboutOf(repair: Repair): string {
  if (repair.action === 'end_maintenance') return 'Fin de la maintenance';
  if (repair.action === 'set_aside') return `${repair.slug} mis de côté`;
  return `${quarantinedRule.exec(repair.aside)?.[2]?.replace(/\.php$/, '') ?? ''} remis`;
}
