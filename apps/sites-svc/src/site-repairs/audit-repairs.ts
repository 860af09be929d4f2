import { RepairInput } from '@vigie/contracts/site-repairs';
import { type EntityManager, In } from 'typeorm';
import { recordInAudit } from '../activity/audit-events';
import { Job } from '../queue/job.entity';

export async function auditRepairs(manager: EntityManager, ids: readonly string[]): Promise<void> {
  const jobs = await manager.find(Job, { where: { id: In([...ids]) }, order: { id: 'asc' } });
  await recordInAudit(
    manager,
    jobs.map(({ id, siteId, siteName, input }) => ({
      action: 'site_edit',
      target: siteName,
      targetId: siteId,
      details: { repair: RepairInput.parse(input).repair, job_id: id },
    })),
  );
}
