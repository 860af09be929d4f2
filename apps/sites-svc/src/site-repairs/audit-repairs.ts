import { RepairInput } from '@vigie/contracts/site-repairs';
import { writeAudits } from '@vigie/service-kit/audit';
import { currentUser } from '@vigie/service-kit/context';
import { type EntityManager, In } from 'typeorm';
import { Job } from '../jobs/job.entity';

/** Who asked for what, in the transaction that accepts it; what came of it is in the feed. */
export async function auditRepairs(manager: EntityManager, ids: readonly string[]): Promise<void> {
  const jobs = await manager.find(Job, { where: { id: In([...ids]) }, order: { id: 'asc' } });
  const { sub, email } = currentUser();
  await writeAudits(
    manager,
    jobs.map(({ id, siteId, siteName, input }) => ({
      actorId: sub,
      actorName: email ?? null,
      action: 'site_edit',
      target: siteName,
      targetId: siteId,
      result: 'done' as const,
      details: { repair: RepairInput.parse(input).repair, job_id: id },
    })),
  );
}
