import { BackupInput } from '@vigie/contracts/backups';
import { FileStore } from '@vigie/files/file-store';
import type { EntityManager } from 'typeorm';
import { owns } from '../owners/owner-filter';
import { roleTooWeak } from '../owners/role-refusal';
import type { RetriedJob } from '../queue/jobs';
import { LocalBackup } from './local-backup.entity';
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

/** An owner may bring an archive of any of their sites to this one: a grant on this site opens none of the others. */
async function refuseForeignArchive(manager: EntityManager, job: RetriedJob): Promise<void> {
  if (job.kind === 'backups.download' || owns({ ownerId: job.owner_id })) return;
  const { object } = BackupInput.parse(job.input);
  if (!object) return;
  const isOfSite = await manager.existsBy(LocalBackup, { objectKey: object.key, siteId: job.site_id ?? '' });
  if (!isOfSite) throw roleTooWeak();
}
