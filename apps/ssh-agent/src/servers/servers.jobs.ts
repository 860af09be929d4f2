import { diagnosisStepNames, diagnosisSteps } from '@vigie/contracts/servers';
import type { Connections } from '../connections';
import { type JobHandler, type JobHandlers, requireAccess } from '../jobs/job-handler';
import { stepReporter } from '../jobs/step-progress';
import { errorOf } from '../error-of';
import { diagnose } from './diagnosis';

export const serversJobs = (connections: Connections): JobHandlers<'servers.test'> => ({
  'servers.test': testServer(connections),
});

const testServer =
  (connections: Connections): JobHandler =>
  async ({ job, signal, report }) => {
    const access = requireAccess(job.access);
    const target = await connections.targetOf(access);
    const onStep = stepReporter(report, diagnosisSteps, diagnosisStepNames);
    const { steps, hostKey, killsChildren, stdout, stderr, failure } = await diagnose(target, { signal, onStep });
    if (failure) return { state: 'failed', error: { ...errorOf(failure), stdout, stderr, steps } };
    const method = 'password' in target.auth ? 'password' : 'key';
    return { state: 'succeeded', result: { stdout, method, host_key: hostKey, steps, kills_children: killsChildren } };
  };
