import { BackupInput } from '@vigie/contracts/backups';
import { FileStore } from '@vigie/files/file-store';
import type { EntityManager } from 'typeorm';
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
  await refuseFormerOwner(manager, jobs);
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

/** Archives may have stayed with the former owner of the site. */
async function refuseFormerOwner(manager: EntityManager, jobs: readonly RetriedJob[]): Promise<void> {
  const foreign: unknown[] = await manager.query(
    `select from jobs j join local_backups b on b.object_key = j.input #>> '{object,key}'
     where j.id = any($1::uuid[]) and b.owner_id <> j.owner_id limit 1`,
    [jobs.map(({ id }) => id)],
  );
  if (foreign.length > 0) throw unknownLocalBackup();
}

/** An owner may bring an archive of any of their sites to this one: a grant on this site opens none of the others. */
async function refuseForeignArchive(manager: EntityManager, job: RetriedJob): Promise<void> {
  if (job.kind === 'backups.download' || owns({ ownerId: job.owner_id })) return;
  const { object } = BackupInput.parse(job.input);
  if (!object) return;
  const isOfSite = await manager.existsBy(LocalBackup, { objectKey: object.key, siteId: job.site_id ?? '' });
  if (!isOfSite) throw roleTooWeak();
}
