import { randomUUID } from 'node:crypto';
import type { SshAccess } from '@vigie/contracts/credentials';
import type { Progress } from '@vigie/contracts/jobs';
import { type JobHandlers, RetryLater, type StopReason, nextStep, type Outcome, type JobContext } from './job-handler';

type Stop = StopReason | undefined;
/** Called with each report of the job; may stop its worker. */
export type ReportHook = (progress: Progress | null, lines: readonly string[]) => Stop;
type TestJob = {
  kind: string;
  input: Record<string, unknown>;
  access: SshAccess;
  id?: string;
  onReport?: ReportHook;
  /** Called with each checkpoint that is saved; may stop its worker. */
  onCheckpoint?: (checkpoint: Record<string, unknown>) => Stop;
  /** Called while the job waits for another attempt; may cancel it. */
  onReleased?: () => Extract<StopReason, 'cancelled'> | undefined;
};

type TestRun = {
  id: string;
  outcome: Outcome | 'cancelled';
  lines: string[];
  steps: string[];
  attempts: number;
};

const maxAttempts = 60;

/** Runs a job as workers do, one attempt after another, each with the last checkpoint. */
export async function runForTests(handlers: JobHandlers, job: TestJob): Promise<TestRun> {
  const { id = randomUUID(), onReport, onCheckpoint, onReleased } = job;
  const [lines, steps]: [string[], string[]] = [[], []];
  let checkpoint: Record<string, unknown> | null = null;
  let [isCancelled, wasStarted] = [false, false];
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const [jobEnd, leaseEnd] = [new AbortController(), new AbortController()];
    const claimed = {
      ...claimOf(job, id, attempt),
      was_started: wasStarted,
      is_cancelling: isCancelled,
      memo: checkpoint,
    };
    let hasCheckpoint = false;
    wasStarted = true;
    const stop = (reason: Stop) => {
      if (reason === undefined) return;
      isCancelled ||= reason === 'cancelled';
      jobEnd.abort(reason);
      if (reason !== 'cancelled') leaseEnd.abort(reason);
    };
    if (isCancelled) jobEnd.abort('cancelled');
    const context: JobContext = {
      job: claimed,
      signal: jobEnd.signal,
      leaseSignal: leaseEnd.signal,
      report: (progress, ...newLines) => {
        lines.push(...newLines);
        if (progress && progress.step !== steps.at(-1)) steps.push(progress.step);
        stop(onReport?.(progress, newLines));
      },
      reportAt: (_, send) => send(),
      saveCheckpoint: async (saved) => {
        checkpoint = structuredClone(saved);
        hasCheckpoint = true;
        stop(onCheckpoint?.(saved));
        leaseEnd.signal.throwIfAborted();
      },
    };
    try {
      const outcome = (await handlers[job.kind]?.(context)) as Outcome;
      return { id, outcome, lines, steps, attempts: attempt + 1 };
    } catch (error) {
      const next = nextStep(error, {
        job: claimed,
        hasCheckpoint,
        signal: jobEnd.signal,
        leaseSignal: leaseEnd.signal,
      });
      const run = { id, lines, steps, attempts: attempt + 1 };
      if (next.kind === 'failed') throw error;
      if (next.kind === 'unknown') return { ...run, outcome: { state: next.kind, error: next.error } };
      if (next.kind === 'cancelled') return { ...run, outcome: next.kind };
      if (next.kind === 'restart') [checkpoint, wasStarted] = [null, false];
      isCancelled ||= error instanceof RetryLater && onReleased?.() === 'cancelled';
      // A job that was not started yet ends at once when it is cancelled.
      if (next.kind === 'restart' && isCancelled) return { ...run, outcome: 'cancelled' as const };
    }
  }
  throw new Error(`the job did not end: ${lines.join('\n')}`);
}

const claimOf = ({ kind, input, access }: TestJob, id: string, attempt: number) => ({
  id,
  fence: 2 * attempt + 1,
  kind,
  input,
  access,
  heard: 0,
});

/** The result of a job that succeeded. */
export function resultOf({ outcome }: Pick<TestRun, 'outcome'>): Record<string, unknown> {
  if (outcome === 'cancelled' || outcome.state !== 'succeeded') throw new Error(JSON.stringify(outcome));
  return outcome.result;
}

/** Calls `act` once, as soon as this step has done that many bytes. */
export function whenReached(step: string, bytes: number, act: () => Stop): ReportHook {
  let isDone = false;
  return (progress) => {
    if (isDone || progress?.step !== step || (progress.done ?? 0) < bytes) return undefined;
    isDone = true;
    return act();
  };
}

/** Stops one worker after another, each two megabytes further: the first ones may be sent and not have arrived yet. */
export function handovers(count: number): ReportHook {
  const each = Array.from({ length: count }, (_, at) =>
    whenReached('Transfert', 2 * (at + 2) * 1_048_576, () => 'handover'),
  );
  return (progress, lines) => each.map((one) => one(progress, lines)).find((reason) => reason !== undefined);
}
