import type { BackupKind } from '@vigie/contracts/jobs';
import type { Connections } from '../connections';
import { type JobHandler, type JobHandlers, Later, type Outcome, Unestablished } from '../jobs/job-handler';
import { Operations } from '../operations/operations';
import { type BackupMeans, BackupTask } from './backup-task';
import { create } from './create';
import { download } from './download';
import { importArchive } from './import';
import { restore } from './restore';
import { errorOfBackup } from './sentences';
import { verify } from './verify';

/** Archives of sites: made on their hosts, and moved between these and the store. */
export function backupsJobs(
  connections: Pick<Connections, 'use' | 'open'>,
  means: BackupMeans,
): JobHandlers<BackupKind> {
  const operations = new Operations(connections);
  const doing =
    (work: (task: BackupTask) => Promise<Outcome>): JobHandler =>
    (running) =>
      failing(running.signal, () => work(new BackupTask(running, { ...means, operations })));
  return {
    'backups.create': doing(create),
    'backups.download': doing(download),
    'backups.import': doing(importArchive),
    'backups.restore': doing(restore),
    'backups.verify': doing(verify),
  };
}

/** In words for whoever asked. */
async function failing(signal: AbortSignal, work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted || error instanceof Later || error instanceof Unestablished) throw error;
    const failure = errorOfBackup(error);
    if (!failure) throw error;
    return { state: 'failed', error: failure };
  }
}
