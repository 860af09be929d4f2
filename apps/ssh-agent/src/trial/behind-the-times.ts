import { appendFileSync } from 'node:fs';
import type { Contract, Output } from '@vigie/contracts/contract';
import { claimJob, finishJob, noteJob, releaseJob, renewJobs } from '@vigie/contracts/jobs';
import type { Bus } from '@vigie/service-kit/bus';

/** After these the ledger hears again what it should not believe any more. */
const echoesMs = [500, 3_000, 12_000];

type Held = { id: string; fence: number };
type Recorded = { what: 'claimed' | 'claimed twice' | 'believed late'; id: string; attempt?: number; fence?: number };

/**
 * Says to the ledger what a worker may that has not heard the news: claims an attempt once more while it holds it, and
 * ends jobs that it holds no longer. Records what the ledger gave, and what it believed.
 */
export function talkBehindTheTimes(bus: Bus, file: string): void {
  const say = bus.call.bind(bus);
  const held = new Map<string, Held>();
  const record = (line: Recorded) => appendFileSync(file, `${JSON.stringify({ ...line, pid: process.pid })}\n`);

  const sayLate = (lost: Held) => {
    held.delete(lost.id);
    const error = { message: 'Ce message vient trop tard.', code: 'late' };
    for (const ms of echoesMs) {
      setTimeout(() => {
        say(finishJob, { ...lost, state: 'failed', result: null, error }).then(
          () => record({ what: 'believed late', ...lost }),
          () => undefined,
        );
        say(noteJob, { ...lost, progress: null, lines: ['Ce message vient trop tard.'] }).then(
          () => record({ what: 'believed late', ...lost }),
          () => undefined,
        );
      }, ms).unref();
    }
  };

  const watch: { [name: string]: (input: never, answer: never) => void } = {
    [claimJob.name]: (input: { id: string; attempt: number }, { job }: Output<typeof claimJob>) => {
      if (!job) return;
      held.set(job.id, { id: job.id, fence: job.fence });
      record({ what: 'claimed', id: job.id, attempt: input.attempt, fence: job.fence });
      say(claimJob, input as Parameters<typeof say<typeof claimJob>>[1]).then(
        (again) => again.job && record({ what: 'claimed twice', id: job.id, attempt: input.attempt }),
        () => undefined,
      );
    },
    [renewJobs.name]: (_, { lost }: Output<typeof renewJobs>) => {
      for (const id of lost) {
        const known = held.get(id);
        if (known) sayLate(known);
      }
    },
    [releaseJob.name]: ({ id, fence }: Held) => sayLate({ id, fence }),
    [finishJob.name]: ({ id, fence }: Held) => sayLate({ id, fence }),
  };

  const call = async (contract: Contract, input: never) => {
    const answer = await say(contract, input);
    watch[contract.name]?.(input, answer as never);
    return answer;
  };
  Object.assign(bus, { call });
}
