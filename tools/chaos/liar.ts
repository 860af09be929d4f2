import { setTimeout as wait } from 'node:timers/promises';
import { claimJob, finishJob } from '@vigie/contracts/jobs';
import { connectBus } from '@vigie/testing/bus';
import type { Stage } from './stage';

const everyMs = 150;
type Running = { id: string; fence: number; attempt: number };

/**
 * A worker that has not heard the news, with an agent's own rights: it claims what others have claimed, and ends what
 * it held before them. Returns what the ledger gave or believed.
 */
export async function lie(stage: Stage, signal: AbortSignal): Promise<{ what: string; id: string }[]> {
  const bus = await connectBus(stage.product.keys['ssh-agent']);
  const believed: { what: string; id: string }[] = [];
  const error = { message: 'Ce message vient trop tard.' };
  const kinds = ['trial.append', 'trial.write', 'trial.sleep', 'trial.fail'];
  while (!signal.aborted) {
    for (const { id, fence, attempt } of await running(stage)) {
      const claim = bus.call(claimJob, { id, attempt, agent: 'liar', kinds }).then(({ job }) => job !== null, refused);
      const end = bus
        .call(finishJob, { id, fence: fence - 1, state: 'failed', result: null, error })
        .then(() => true, refused);
      if (await claim) believed.push({ what: 'donné deux fois', id });
      if (await end) believed.push({ what: 'cru trop tard', id });
    }
    await wait(everyMs);
  }
  await bus.close().catch(() => undefined);
  return believed;
}

const refused = () => false;

const running = (stage: Stage) =>
  stage
    .query<Running>(
      `select id, fence, claimed_attempt as attempt from sites.jobs
       where state = 'running' and dispatched_at is not null and claimed_attempt = attempts
       order by fence desc limit 3`,
    )
    .catch(() => []);
