import { Controller } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import { asideRule, lookForRepairs, type Repair, repairSite } from '@vigie/contracts/site-repairs';
import { Handles } from '@vigie/service-kit/handles';
import type { EntityManager } from 'typeorm';
import { Asked } from '../jobs/asked';
import { AskedLooks } from '../jobs/asked-looks';
import { Jobs } from '../jobs/jobs';
import { findWhole, holdSite } from '../sites/find-site';
import { siteAccess, siteTarget, toSiteToRead, waysOf } from '../sites/site-access';
import { auditRepairs } from './audit-repairs';

/** "Site cassé ?": why a site does not work, and what takes it out of that. */
@Controller()
export class SiteRepairsController {
  constructor(
    private readonly looks: AskedLooks,
    private readonly asked: Asked,
    private readonly jobs: Jobs,
  ) {}

  @Handles(lookForRepairs)
  async look(input: Input<typeof lookForRepairs>) {
    return this.looks.one(lookForRepairs, input, async (manager) => ({
      kind: 'site-repairs.look',
      ...(await targetOf(manager, input.id)),
    }));
  }

  @Handles(repairSite)
  async repair(input: Input<typeof repairSite>) {
    const { id: siteId, repair } = input;
    return this.asked.once(repairSite, input, async (manager) => {
      const { on, input: asked } = await targetOf(manager, siteId);
      return {
        open: undefined,
        begin: async (id) => {
          const { facts } = await findWhole(manager, siteId);
          const target = { ...asked, repair, content: facts?.content_dir ?? null };
          const about = aboutOf(repair);
          await this.jobs.add(manager, { id, kind: 'site-repairs.apply', on, input: target, about, isExclusive: true });
          await auditRepairs(manager, [id]);
        },
      };
    });
  }
}

async function targetOf(manager: EntityManager, id: string) {
  const site = await holdSite(manager, id);
  const [way] = await waysOf(manager, [site]);
  if (!way) throw new Error('one site has one way');
  const access = siteAccess(way, false);
  if (access instanceof AppError) throw access;
  return { on: siteTarget(way), input: { site: toSiteToRead(site) } };
}

function aboutOf(repair: Repair): string {
  if (repair.action === 'end_maintenance') return 'Fin de la maintenance';
  if (repair.action === 'set_aside') return `${repair.slug} mis de côté`;
  return `${asideRule.exec(repair.aside)?.[2]?.replace(/\.php$/, '') ?? ''} remis`;
}
