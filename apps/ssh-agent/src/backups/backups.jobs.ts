import type { BackupKind } from '@vigie/contracts/jobs';
import type { Connections } from '../connections';
import { type JobHandler, type JobHandlers, RetryLater, type Outcome, OutcomeUnknown } from '../jobs/job-handler';
import { Operations } from '../operations/operations';
import { type BackupDependencies, BackupTask } from './backup-task';
import { create } from './create';
import { download } from './download';
import { importArchive } from './import';
import { restore } from './restore';
import { errorOfBackup } from './backup-failures';
import { verify } from './verify';

/** Jobs that make archives of sites on their hosts, and move them between host and store. */
export function backupsJobs(
  connections: Pick<Connections, 'use' | 'open'>,
  dependencies: BackupDependencies,
): JobHandlers<BackupKind> {
  const operations = new Operations(connections);
  const handlerOf =
    (work: (task: BackupTask) => Promise<Outcome>): JobHandler =>
    (context) =>
      failWithSentence(context.signal, () => work(new BackupTask(context, { ...dependencies, operations })));
  return {
    'backups.create': handlerOf(create),
    'backups.download': handlerOf(download),
    'backups.import': handlerOf(importArchive),
    'backups.restore': handlerOf(restore),
    'backups.verify': handlerOf(verify),
  };
}

/** Ends a job with the sentence of its failure. */
async function failWithSentence(signal: AbortSignal, work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted || error instanceof RetryLater || error instanceof OutcomeUnknown) throw error;
    const failure = errorOfBackup(error);
    if (!failure) throw error;
    return { state: 'failed', error: failure };
  }
}
