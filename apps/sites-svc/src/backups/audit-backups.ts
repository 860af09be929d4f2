import type { ActivityType } from '@vigie/contracts/activity';
import { BackupInput } from '@vigie/contracts/backups';
import type { BackupKind } from '@vigie/contracts/jobs';
import { type EntityManager, In } from 'typeorm';
import { recordInAudit } from '../activity/audit-events';
import { Job } from '../queue/job.entity';

const types: Readonly<Record<string, ActivityType>> = {
  'backups.create': 'backup_create',
  'backups.download': 'backup_download',
  'backups.import': 'backup_import',
  'backups.restore': 'backup_restore',
} satisfies Partial<Record<BackupKind, ActivityType>>;

/** Undefined for jobs that only read. */
export const activityTypeOf = (kind: string): ActivityType | undefined => types[kind];

/** Records requested jobs, and the possible jobs of batches. */
export async function auditBackups(manager: EntityManager, ids: readonly string[]): Promise<void> {
  const jobs = await manager.find(Job, {
    where: [
      { id: In([...ids]), isBatch: false },
      { batchId: In([...ids]), state: 'queued' },
    ],
    order: { id: 'asc' },
  });
  const entries = jobs.flatMap(({ id, kind, siteId, siteName, input }) => {
    const action = activityTypeOf(kind);
    if (!action) return [];
    const { filename } = BackupInput.pick({ filename: true }).parse(input);
    return { action, target: siteName, targetId: siteId, details: { filename, job_id: id } };
  });
  await recordInAudit(manager, entries);
}
