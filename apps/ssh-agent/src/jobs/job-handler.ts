import type { SshAccess } from '@vigie/contracts/credentials';
import type { ClaimedJob, JobError, Progress } from '@vigie/contracts/jobs';

/** Why a worker lets go of a job before its end. */
export type LetGo = 'cancelled' | 'lost' | 'handover';

export type Running = {
  job: ClaimedJob;
  /** Aborted with a `LetGo` as its reason. */
  signal: AbortSignal;
  /** Aborted where another worker goes on with it, after a cancellation too. */
  gone: AbortSignal;
  /** Tells what is being done; what is told faster than people read is told together. */
  tell: (progress: Progress | null, ...lines: string[]) => void;
  /** What is told within it is what the host said up to `place`: another worker may have told it before. */
  hear: (place: number, telling: () => void) => void;
  /** Keeps what whoever goes on with it must know. It is kept when this is done, or it is thrown. */
  remember: (memo: Record<string, unknown>) => Promise<void>;
};

export type Outcome =
  | { state: 'succeeded'; result: Record<string, unknown> }
  | { state: 'failed' | 'unknown'; error: JobError; result?: Record<string, unknown> };

/** Does one kind of job. It may run again, elsewhere: what must happen once is an operation of the host's journal. */
export type JobHandler = (running: Running) => Promise<Outcome>;

export type JobHandlers<Kind extends string = string> = Readonly<Record<Kind, JobHandler>>;

export function requireAccess(access: SshAccess | null): SshAccess {
  if (!access) throw new Error('a job on a server has no way to it');
  return access;
}

/** It was begun on its host, and nobody can say what came of it. */
export class Unestablished extends Error {
  constructor(readonly error: JobError) {
    super(error.message);
    this.name = 'Unestablished';
  }
}

/** It cannot go on now, and later it may be possible. */
export class Later extends Error {
  constructor(
    readonly waitMs: number,
    reason: string,
    /** What was begun is looked for later; what was not is begun then. */
    readonly mayHaveBegun: boolean,
  ) {
    super(reason);
    this.name = 'Later';
  }
}

/** The operation that it was to begin was begun by nobody, whatever was kept for it. */
export class NotBegun extends Later {
  constructor(waitMs: number, reason: string) {
    super(waitMs, reason, false);
    this.name = 'NotBegun';
  }
}

/** Nothing of it runs on its host for a while: it keeps its site, and leaves its room there to others. */
export class Resting extends Error {
  constructor(
    readonly waitMs: number,
    reason: string,
  ) {
    super(reason);
    this.name = 'Resting';
  }
}

type Stopped = {
  job: Pick<ClaimedJob, 'was_started' | 'memo'>;
  hasKept: boolean;
  signal: AbortSignal;
  gone: AbortSignal;
};

/** What becomes of a job whose handler threw: it has come to its end, or another attempt goes on with it. */
type NextStep =
  | { is: 'unknown'; error: JobError }
  | { is: 'gone' }
  | { is: 'cancelled' }
  | { is: 'thrown' }
  | { is: 'rest' | 'release' | 'anew'; until: Later | Resting };

export function nextStep(error: unknown, { job, hasKept, signal, gone }: Stopped): NextStep {
  if (error instanceof Unestablished) return { is: 'unknown', error: error.error };
  if (gone.aborted) return { is: 'gone' };
  // What waits for its end waits for it although it is cancelled.
  if (error instanceof Resting) return { is: 'rest', until: error };
  if (error instanceof Later) {
    if (!isUntouched(error, job, hasKept)) return { is: 'release', until: error };
    if (!signal.aborted) return { is: 'anew', until: error };
  }
  return { is: signal.aborted ? 'cancelled' : 'thrown' };
}

/** Whether whoever comes next begins it anew: whoever only looked does not know what was begun before. */
function isUntouched(later: Later, job: Stopped['job'], hasKept: boolean): boolean {
  if (job.memo !== null) return false;
  return later instanceof NotBegun || !(later.mayHaveBegun || job.was_started || hasKept);
}
