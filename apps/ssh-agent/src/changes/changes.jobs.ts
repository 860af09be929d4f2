import type { ChangeKind } from '@vigie/contracts/jobs';
import type { Connections } from '../connections';
import type { JobHandler, JobHandlers } from '../jobs/job-handler';
import type { JobDependencies } from '../job-dependencies';
import { Operations } from '../operations/operations';
import { ChangeJob } from './change-job';
import type { Action } from './sentences';
import { areTogether, UpdatesJob } from './updates-job';

/** Changes of one item of one site: a rollback copy is made first, and restored if the site breaks. */
export function changesJobs(
  connections: Pick<Connections, 'use' | 'open'>,
  dependencies: JobDependencies,
): JobHandlers<ChangeKind> {
  const operations = new Operations(connections);
  const handlerOf =
    (action: Action): JobHandler =>
    (context) =>
      new ChangeJob(context, { action, operations, ...dependencies }).run();
  return {
    'changes.activate': handlerOf('activate'),
    'changes.deactivate': handlerOf('deactivate'),
    'changes.install': handlerOf('install'),
    'changes.restore': handlerOf('restore'),
    'changes.update': (context) =>
      areTogether(context)
        ? new UpdatesJob(context, { operations, ...dependencies }).run()
        : handlerOf('update')(context),
  };
}
