import { BackupInput } from '@vigie/contracts/backups';
import { FileStore } from '@vigie/files/file-store';
import type { EntityManager } from 'typeorm';
import type { RetriedJob } from '../queue/jobs';
import { newArchiveName } from './new-archive-name';

/** Gives retried jobs new object keys and file names: the first attempt may have used its own. */
export async function renewBackups(_: EntityManager, jobs: readonly RetriedJob[]): Promise<readonly RetriedJob[]> {
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
