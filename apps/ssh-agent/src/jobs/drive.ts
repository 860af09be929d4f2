import { randomUUID } from 'node:crypto';
import type { SshAccess } from '@vigie/contracts/credentials';
import type { Progress } from '@vigie/contracts/jobs';
import { type JobHandlers, Later, type LetGo, type Outcome, Resting, type Running } from './job-handler';

type Cut = LetGo | undefined;
type Driven = {
  kind: string;
  input: Record<string, unknown>;
  access: SshAccess;
  id?: string;
  /** What its worker does at what is told, and at what is kept. */
  onTold?: (progress: Progress | null, lines: readonly string[]) => Cut;
  onKept?: (memo: Record<string, unknown>) => Cut;
};

const mostAttempts = 60;

/** For tests: does a job as workers do, one after the other, each knowing what the ledger kept. */
export async function drive(handlers: JobHandlers, job: Driven) {
  const { id = randomUUID(), onTold, onKept } = job;
  const [lines, steps]: [string[], string[]] = [[], []];
  let memo: Record<string, unknown> | null = null;
  let isCancelled = false;
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const [over, gone] = [new AbortController(), new AbortController()];
    const letGo = (reason: Cut) => {
      if (reason === undefined) return;
      isCancelled ||= reason === 'cancelled';
      over.abort(reason);
      if (reason !== 'cancelled') gone.abort(reason);
    };
    if (isCancelled) over.abort('cancelled');
    const running: Running = {
      job: { ...claimOf(job, id, attempt), is_cancelling: isCancelled, memo },
      signal: over.signal,
      gone: gone.signal,
      tell: (progress, ...said) => {
        lines.push(...said);
        if (progress && progress.step !== steps.at(-1)) steps.push(progress.step);
        letGo(onTold?.(progress, said));
      },
      hear: (_, telling) => telling(),
      remember: async (kept) => {
        memo = structuredClone(kept);
        letGo(onKept?.(kept));
        gone.signal.throwIfAborted();
      },
    };
    try {
      const outcome = (await handlers[job.kind]?.(running)) as Outcome;
      return { id, outcome, lines, steps, attempts: attempt + 1 };
    } catch (error) {
      const isTriedAgain = error instanceof Later && error.mayHaveBegun;
      if (gone.signal.aborted || error instanceof Resting || isTriedAgain) continue;
      if (over.signal.aborted) return { id, outcome: 'cancelled' as const, lines, steps, attempts: attempt + 1 };
      throw error;
    }
  }
  throw new Error(`it came to no end: ${lines.join('\n')}`);
}

const claimOf = ({ kind, input, access }: Driven, id: string, attempt: number) => ({
  id,
  fence: 2 * attempt + 1,
  kind,
  input,
  access,
  was_started: attempt > 0,
  heard: 0,
});

/** Of one that was done. */
export function resultOf({ outcome }: { outcome: Outcome | 'cancelled' }): Record<string, unknown> {
  if (outcome === 'cancelled' || outcome.state !== 'succeeded') throw new Error(JSON.stringify(outcome));
  return outcome.result;
}
