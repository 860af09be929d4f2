import { BackupInput } from '@vigie/contracts/backups';
import { FileStore } from '@vigie/files/file-store';
import { type EntityManager, Not } from 'typeorm';
import { owns } from '../owners/owner-filter';
import { roleTooWeak } from '../owners/role-refusal';
import type { RetriedJob } from '../queue/jobs';
import { LocalBackup, unknownLocalBackup } from './local-backup.entity';
import { newArchiveName } from './new-archive-name';

/** Gives retried jobs new object keys and file names: the first attempt may have used its own. */
export async function renewBackups(
  manager: EntityManager,
  jobs: readonly RetriedJob[],
): Promise<readonly RetriedJob[]> {
  for (const job of jobs) await refuseForeignArchive(manager, job);
  return jobs.map((job) => {
    if (job.kind === 'backups.restore') {
      const { site } = BackupInput.parse(job.input);
      return { ...job, input: { ...job.input, safety: newArchiveName(site.url) } };
    }
    if (job.kind === 'backups.download') {
      const { object } = BackupInput.parse(job.input);
      return { ...job, input: { ...job.input, object: { ...object, key: FileStore.newKey() } } };
    }
    return job;
  });
}

/**
 * An owner may bring an archive of any of their sites to this one, but none that stayed with the owner before. A grant on
 * this site opens none of the others.
 */
async function refuseForeignArchive(manager: EntityManager, job: RetriedJob): Promise<void> {
  if (job.kind === 'backups.download') return;
  const { object } = BackupInput.parse(job.input);
  if (!object) return;
  const { key: objectKey } = object;
  if (await manager.existsBy(LocalBackup, { objectKey, ownerId: Not(job.owner_id) })) throw unknownLocalBackup();
  if (owns({ ownerId: job.owner_id })) return;
  const isOfSite = await manager.existsBy(LocalBackup, { objectKey, siteId: job.site_id ?? '' });
  if (!isOfSite) throw roleTooWeak();
}
