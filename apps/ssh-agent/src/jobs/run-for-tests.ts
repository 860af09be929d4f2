import { randomUUID } from 'node:crypto';
import type { SshAccess } from '@vigie/contracts/credentials';
import type { Progress } from '@vigie/contracts/jobs';
import { type JobHandlers, Later, type LetGo, nextStep, type Outcome, type Running } from './job-handler';

type Cut = LetGo | undefined;
/** What its worker does at what is told. */
export type Told = (progress: Progress | null, lines: readonly string[]) => Cut;
type Run = {
  kind: string;
  input: Record<string, unknown>;
  access: SshAccess;
  id?: string;
  onTold?: Told;
  /** What its worker does at what is kept. */
  onKept?: (memo: Record<string, unknown>) => Cut;
  /** What people do while it waits for another attempt. */
  onReleased?: () => Extract<LetGo, 'cancelled'> | undefined;
};

type Ended = {
  id: string;
  outcome: Outcome | 'cancelled';
  lines: string[];
  steps: string[];
  attempts: number;
};

const maxAttempts = 60;

/** Does a job as workers do, one after the other, each knowing what the ledger kept. */
export async function runForTests(handlers: JobHandlers, job: Run): Promise<Ended> {
  const { id = randomUUID(), onTold, onKept, onReleased } = job;
  const [lines, steps]: [string[], string[]] = [[], []];
  let memo: Record<string, unknown> | null = null;
  let [isCancelled, wasStarted] = [false, false];
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const [over, gone] = [new AbortController(), new AbortController()];
    const claimed = { ...claimOf(job, id, attempt), was_started: wasStarted, is_cancelling: isCancelled, memo };
    let hasKept = false;
    wasStarted = true;
    const letGo = (reason: Cut) => {
      if (reason === undefined) return;
      isCancelled ||= reason === 'cancelled';
      over.abort(reason);
      if (reason !== 'cancelled') gone.abort(reason);
    };
    if (isCancelled) over.abort('cancelled');
    const running: Running = {
      job: claimed,
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
        hasKept = true;
        letGo(onKept?.(kept));
        gone.signal.throwIfAborted();
      },
    };
    try {
      const outcome = (await handlers[job.kind]?.(running)) as Outcome;
      return { id, outcome, lines, steps, attempts: attempt + 1 };
    } catch (error) {
      const next = nextStep(error, { job: claimed, hasKept, signal: over.signal, gone: gone.signal });
      const ended = { id, lines, steps, attempts: attempt + 1 };
      if (next.is === 'thrown') throw error;
      if (next.is === 'unknown') return { ...ended, outcome: { state: next.is, error: next.error } };
      if (next.is === 'cancelled') return { ...ended, outcome: next.is };
      if (next.is === 'anew') [memo, wasStarted] = [null, false];
      isCancelled ||= error instanceof Later && onReleased?.() === 'cancelled';
      // What waits to be begun is over once it is called off.
      if (next.is === 'anew' && isCancelled) return { ...ended, outcome: 'cancelled' as const };
    }
  }
  throw new Error(`it came to no end: ${lines.join('\n')}`);
}

const claimOf = ({ kind, input, access }: Run, id: string, attempt: number) => ({
  id,
  fence: 2 * attempt + 1,
  kind,
  input,
  access,
  heard: 0,
});

/** Of one that was done. */
export function resultOf({ outcome }: Pick<Ended, 'outcome'>): Record<string, unknown> {
  if (outcome === 'cancelled' || outcome.state !== 'succeeded') throw new Error(JSON.stringify(outcome));
  return outcome.result;
}

/** Once, as soon as so much of something is done. */
export function when(step: string, bytes: number, act: () => Cut): Told {
  let isOver = false;
  return (progress) => {
    if (isOver || progress?.step !== step || (progress.done ?? 0) < bytes) return undefined;
    isOver = true;
    return act();
  };
}

/** Stops one worker after another, each two megabytes further: the first megabytes may be sent and not yet have arrived. */
export function handovers(count: number): Told {
  const each = Array.from({ length: count }, (_, at) => when('Transfert', 2 * (at + 2) * 1_048_576, () => 'handover'));
  return (progress, lines) => each.map((one) => one(progress, lines)).find((reason) => reason !== undefined);
}
