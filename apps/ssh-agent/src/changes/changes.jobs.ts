import type { Connections } from '../connections';
import type { JobHandlers } from '../jobs/job-handler';
import { Operations } from '../operations/operations';
import { ChangeJob } from './change-job';
import type { ChangeMeans } from './means';
import type { Action } from './sentences';

const actions = ['update', 'install', 'activate', 'deactivate', 'restore'] as const satisfies readonly Action[];

/** Changes of one item of one site: it is put aside first, and comes back if the site suffers. */
export function changesJobs(connections: Pick<Connections, 'use' | 'open'>, means: ChangeMeans): JobHandlers {
  const operations = new Operations(connections);
  return Object.fromEntries(
    actions.map((action) => [
      `changes.${action}`,
      (running) => new ChangeJob(running, { action, operations, ...means }).run(),
    ]),
  );
}
