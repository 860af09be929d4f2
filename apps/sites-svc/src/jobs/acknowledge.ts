import { currentUser } from '@vigie/service-kit/context';
import type { EntityManager } from 'typeorm';
import { recordInAudit } from '../activity/audit-events';
import { reachesJob, reachingCaller } from '../owners/reach';
import { hasFailed, isLatestAttempt } from '../queue/job.entity';
import { findReachedJobs } from './reached-jobs';

/** Takes note of failures once: who did it first stays. Returns how many jobs were failures that nobody had taken note of. */
export async function acknowledge(manager: EntityManager, ids: readonly string[]): Promise<number> {
  const jobs = await findReachedJobs(manager, ids);
  const known = jobs.map(({ id }) => id);
  const acknowledged = await acknowledgeFailures(manager, known);
  if (acknowledged.length === 0) return 0;
  await acknowledgeBatches(manager, acknowledged);
  const touched = new Set(acknowledged.flatMap(({ id, batch_id: batchId }) => [id, batchId]));
  await recordInAudit(
    manager,
    jobs
      .filter(({ id }) => touched.has(id))
      .map(({ id, kind, siteName, serverName }) => ({
        action: 'job_acknowledge',
        target: siteName ?? serverName ?? kind,
        targetId: id,
        details: { kind },
      })),
  );
  return acknowledged.length;
}

type Acknowledged = { id: string; batch_id: string | null };

/** Locks the batches first, as whatever ends their jobs does. */
async function acknowledgeFailures(manager: EntityManager, ids: readonly string[]): Promise<Acknowledged[]> {
  await manager.query(
    `select id from jobs where is_batch and id in (select coalesce(batch_id, id) from jobs where id = any($1::uuid[]))
     order by id for update`,
    [ids],
  );
  const [rows]: [Acknowledged[], number] = await manager.query(
    `update jobs job set acknowledged_at = now(), acknowledged_by = $3
     where (id = any($1::uuid[]) or batch_id = any($1::uuid[])) and ${hasFailed} and not is_batch
       and acknowledged_at is null and ${reachesJob('job', '$2')}
     returning id, batch_id`,
    [ids, reachingCaller(), currentUser().name ?? null],
  );
  return rows;
}

/** A batch is acknowledged once its last failure is, so that its row no longer asks for it. */
async function acknowledgeBatches(manager: EntityManager, acknowledged: readonly Acknowledged[]): Promise<void> {
  await manager.query(
    `update jobs batch set acknowledged_at = now(), acknowledged_by = $3
     where id = any($1::uuid[]) and ${hasFailed} and acknowledged_at is null and ${reachesJob('batch', '$2')}
       and not exists (select from jobs j where j.batch_id = batch.id and j.${hasFailed} and j.acknowledged_at is null
         and ${reachesJob('j', '$2')} and ${isLatestAttempt})`,
    [
      [...new Set(acknowledged.flatMap(({ batch_id: batchId }) => batchId ?? []))],
      reachingCaller(),
      currentUser().name ?? null,
    ],
  );
}
