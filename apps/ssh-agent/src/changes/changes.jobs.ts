import type { ChangeKind } from '@vigie/contracts/jobs';
import type { Connections } from '../connections';
import type { JobHandler, JobHandlers } from '../jobs/job-handler';
import type { JobMeans } from '../jobs/means';
import { Operations } from '../operations/operations';
import { ChangeJob } from './change-job';
import type { Action } from './sentences';

/** Changes of one item of one site: it is put aside first, and comes back if the site suffers. */
export function changesJobs(connections: Pick<Connections, 'use' | 'open'>, means: JobMeans): JobHandlers<ChangeKind> {
  const operations = new Operations(connections);
  const changing =
    (action: Action): JobHandler =>
    (running) =>
      new ChangeJob(running, { action, operations, ...means }).run();
  return {
    'changes.activate': changing('activate'),
    'changes.deactivate': changing('deactivate'),
    'changes.install': changing('install'),
    'changes.restore': changing('restore'),
    'changes.update': changing('update'),
  };
}
