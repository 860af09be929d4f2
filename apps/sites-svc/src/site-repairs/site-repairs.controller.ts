import { Controller } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import { asideRule, lookForRepairs, type Repair, repairSite } from '@vigie/contracts/site-repairs';
import { Creations } from '@vigie/service-kit/creations';
import { Handles } from '@vigie/service-kit/handles';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { AskedLooks } from '../jobs/asked-looks';
import { Jobs } from '../jobs/jobs';
import { findWhole, holdSite } from '../sites/find-site';
import { siteAccess, siteTarget, toSiteToRead, waysOf } from '../sites/site-access';
import { auditRepairs } from './audit-repairs';

/** "Site cassé ?": why a site does not work, and what takes it out of that. */
@Controller()
export class SiteRepairsController {
  constructor(
    private readonly database: DataSource,
    private readonly asked: AskedLooks,
    private readonly creations: Creations,
    private readonly jobs: Jobs,
  ) {}

  @Handles(lookForRepairs)
  async look(input: Input<typeof lookForRepairs>) {
    return this.asked.one(lookForRepairs, input, async (manager) => ({
      kind: 'site-repairs.look',
      ...(await targetOf(manager, input.id)),
    }));
  }

  @Handles(repairSite)
  async repair(input: Input<typeof repairSite>) {
    const { id: siteId, repair } = input;
    const id = await this.database.transaction(async (manager) => {
      const { on, input: asked } = await targetOf(manager, siteId);
      const made = uuid();
      const known = await this.creations.claim(manager, repairSite, input, made);
      if (known !== undefined) return known;
      const { facts } = await findWhole(manager, siteId);
      await this.jobs.add(manager, {
        id: made,
        kind: 'site-repairs.apply',
        on,
        input: { ...asked, repair, content: facts?.content_dir ?? null },
        about: aboutOf(repair),
        isExclusive: true,
      });
      await auditRepairs(manager, [made]);
      return made;
    });
    this.jobs.announce();
    return { job_id: id, state: 'queued' as const };
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
