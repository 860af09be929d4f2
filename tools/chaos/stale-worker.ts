import { setTimeout as wait } from 'node:timers/promises';
import { claimJob, finishJob } from '@vigie/contracts/jobs';
import { connectBus } from '@vigie/testing/bus';
import type { Stage } from './stage';

const everyMs = 150;
type RunningJob = { id: string; fence: number; attempt: number };

/**
 * Runs a stale worker with the rights of an agent: it claims jobs of other agents, and ends jobs with old fences. Returns
 * the calls that the product wrongly accepted.
 */
export async function runStaleWorker(stage: Stage, signal: AbortSignal): Promise<{ kind: string; id: string }[]> {
  const bus = await connectBus(stage.product.keys['ssh-agent']);
  const wronglyAccepted: { kind: string; id: string }[] = [];
  const error = { message: 'Ce message vient trop tard.' };
  const kinds = ['trial.append', 'trial.write', 'trial.sleep', 'trial.fail'];
  while (!signal.aborted) {
    for (const { id, fence, attempt } of await readRunningJobs(stage)) {
      const claim = bus
        .call(claimJob, { id, attempt, agent: 'liar', kinds })
        .then(({ job }) => job !== null, isRefused);
      const end = bus
        .call(finishJob, { id, fence: fence - 1, state: 'failed', result: null, error })
        .then(() => true, isRefused);
      if (await claim) wronglyAccepted.push({ kind: 'donné deux fois', id });
      if (await end) wronglyAccepted.push({ kind: 'cru trop tard', id });
    }
    await wait(everyMs);
  }
  await bus.close().catch(() => undefined);
  return wronglyAccepted;
}

const isRefused = () => false;

const readRunningJobs = (stage: Stage) =>
  stage
    .query<RunningJob>(
      `select id, fence, claimed_attempt as attempt from sites.jobs
       where state = 'running' and dispatched_at is not null and claimed_attempt = attempts
       order by fence desc limit 3`,
    )
    .catch(() => []);
