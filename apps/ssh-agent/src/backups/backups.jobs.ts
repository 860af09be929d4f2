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

const kinds = { create, download, import: importArchive, restore, verify } satisfies Record<string, Kind>;
type Kind = (task: BackupTask) => Promise<Outcome>;

/** Archives of sites: made on their hosts, and moved between these and the store. */
export function backupsJobs(connections: Pick<Connections, 'use' | 'open'>, means: BackupMeans): JobHandlers {
  const operations = new Operations(connections);
  const handlerOf =
    (kind: Kind): JobHandler =>
    (running) =>
      failing(running.signal, () => kind(new BackupTask(running, { ...means, operations })));
  return Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [`backups.${name}`, handlerOf(kind)]));
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
