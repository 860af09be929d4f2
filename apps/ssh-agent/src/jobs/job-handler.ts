import type { SshAccess } from '@vigie/contracts/credentials';
import type { ClaimedJob, JobError, Progress } from '@vigie/contracts/jobs';

/** Why a worker stops working on a job before its end. */
export type StopReason = 'cancelled' | 'lost' | 'handover';

export type JobContext = {
  job: ClaimedJob;
  /** Aborted with a `StopReason` as its reason. */
  signal: AbortSignal;
  /** Aborted when another worker takes the job over, even after a cancellation. */
  leaseSignal: AbortSignal;
  /** Those of the jobs that are done together with this one, in the order of their ids. */
  companions?: readonly JobContext[];
  /** Reports progress and log lines to the ledger, at most one message a second. */
  report: (progress: Progress | null, ...lines: string[]) => void;
  /**
   * Runs `send`, whose reports come from byte `offset` of the host's progress file. Lines that an earlier worker has
   * already reported from there are dropped.
   */
  reportAt: (offset: number, send: () => void) => void;
  /** Stores what the next worker needs to resume the job; resolves once it is stored, and throws otherwise. */
  saveCheckpoint: (checkpoint: Record<string, unknown>) => Promise<void>;
};

export type Outcome =
  | { state: 'succeeded'; result: Record<string, unknown> }
  | { state: 'failed' | 'unknown'; error: JobError; result?: Record<string, unknown> };

/** How each job ended that was done together with others, by its id. One that is tried alone has not ended. */
export type JointOutcomes = ReadonlyMap<string, Outcome | 'cancelled' | 'alone'>;

/** Runs one kind of job. It may run again on another worker: what must happen once is an operation of the host's journal. */
export type JobHandler = (context: JobContext) => Promise<Outcome | JointOutcomes>;

export type JobHandlers<Kind extends string = string> = Readonly<Record<Kind, JobHandler>>;

export function requireAccess(access: SshAccess | null): SshAccess {
  if (!access) throw new Error('a job on a server has no access to it');
  return access;
}

/** The operation started on its host, and nobody can say what it did. */
export class OutcomeUnknown extends Error {
  constructor(readonly error: JobError) {
    super(error.message);
    this.name = 'OutcomeUnknown';
  }
}

/** The job cannot continue now, and may be able to later. */
export class RetryLater extends Error {
  constructor(
    readonly waitMs: number,
    reason: string,
    /** The next attempt looks for an operation that may have started, and starts one otherwise. */
    readonly mayHaveStarted: boolean,
  ) {
    super(reason);
    this.name = 'RetryLater';
  }
}

/** No worker has started the job's operation, even if a checkpoint was saved for it. */
export class NotStarted extends RetryLater {
  constructor(waitMs: number, reason: string) {
    super(waitMs, reason, false);
    this.name = 'NotStarted';
  }
}

/** The job has nothing to run on its host for a while: it keeps its site locked, and frees its slot on the host. */
export class ResumeAt extends Error {
  constructor(
    readonly waitMs: number,
    reason: string,
  ) {
    super(reason);
    this.name = 'ResumeAt';
  }
}

type FailedAttempt = {
  job: Pick<ClaimedJob, 'was_started' | 'memo'>;
  hasCheckpoint: boolean;
  signal: AbortSignal;
  leaseSignal: AbortSignal;
};

/** What happens to a job whose handler threw: it ends, or another attempt continues it. */
type NextStep =
  | { kind: 'unknown'; error: JobError }
  | { kind: 'lease-ended' }
  | { kind: 'cancelled' }
  | { kind: 'failed' }
  | { kind: 'resume' | 'retry' | 'restart'; error: RetryLater | ResumeAt };

export function nextStep(error: unknown, { job, hasCheckpoint, signal, leaseSignal }: FailedAttempt): NextStep {
  if (error instanceof OutcomeUnknown) return { kind: 'unknown', error: error.error };
  if (leaseSignal.aborted) return { kind: 'lease-ended' };
  // A job that only waits for its last check goes on waiting, even when it is cancelled.
  if (error instanceof ResumeAt) return { kind: 'resume', error };
  if (error instanceof RetryLater) {
    if (!isUntouched(error, job, hasCheckpoint)) return { kind: 'retry', error };
    if (!signal.aborted) return { kind: 'restart', error };
  }
  return { kind: signal.aborted ? 'cancelled' : 'failed' };
}

/** Whether the next attempt starts from scratch. An attempt that only read cannot know what earlier ones started. */
function isUntouched(error: RetryLater, job: FailedAttempt['job'], hasCheckpoint: boolean): boolean {
  if (job.memo !== null) return false;
  return error instanceof NotStarted || !(error.mayHaveStarted || job.was_started || hasCheckpoint);
}
