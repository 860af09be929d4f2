import { Controller } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { quarantinedRule, checkForRepairs, type Repair, repairSite } from '@vigie/contracts/site-repairs';
import { Handles } from '@vigie/service-kit/handles';
import { Asked } from '../jobs/asked';
import { AskedLooks } from '../jobs/asked-looks';
import { Jobs } from '../jobs/jobs';
import { holdGround, placeOf, targetOf } from '../sites/grounds';
import { auditRepairs } from './audit-repairs';

/** "Site cassé ?": why a site does not work, and what takes it out of that. */
@Controller()
export class SiteRepairsController {
  constructor(
    private readonly looks: AskedLooks,
    private readonly asked: Asked,
    private readonly jobs: Jobs,
  ) {}

  @Handles(checkForRepairs)
  async look(input: Input<typeof checkForRepairs>) {
    return this.looks.one(checkForRepairs, input, async (manager) => {
      const ground = await holdGround(manager, input.id);
      return { kind: 'site-repairs.look', on: targetOf(ground), input: { site: placeOf(ground).site } };
    });
  }

  @Handles(repairSite)
  async repair(input: Input<typeof repairSite>) {
    const { id: siteId, repair } = input;
    return this.asked.once(repairSite, input, async (manager) => {
      const ground = await holdGround(manager, siteId);
      const on = targetOf(ground);
      return {
        open: undefined,
        begin: async (id) => {
          const target = { ...placeOf(ground), repair };
          const about = aboutOf(repair);
          await this.jobs.add(manager, { id, kind: 'site-repairs.apply', on, input: target, about, isExclusive: true });
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
