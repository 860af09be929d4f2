import { setTimeout as wait } from 'node:timers/promises';
import type { SshAccess } from '@vigie/contracts/credentials';
import { willRetry } from '@vigie/contracts/job-errors';
import type { JobError } from '@vigie/contracts/jobs';
import type { Connection } from '@vigie/ssh/connection';
import { type FailureKind, SshFailure } from '@vigie/ssh/failure';
import { purge, stop } from '@vigie/ssh/journal';
import { begin, type Operation } from '@vigie/ssh/journal-begin';
import { type FollowResult, follow, peek } from '@vigie/ssh/journal-follow';
import type { Connections } from '../connections';
import { errorOf } from '../error-of';
import {
  RetryLater,
  type StopReason,
  NotStarted,
  requireAccess,
  type JobContext,
  OutcomeUnknown,
} from '../jobs/job-handler';
import { measureCommand } from '../measured-connect';
import { LineReader } from './line-reader';

type Task = Pick<Operation, 'script' | 'input' | 'lock'> & {
  /** The name of the script file, under which its runs are measured. */
  name: string;
  /** How long it waits for the lock of its folder, which another operation may hold. */
  lockSeconds?: number;
  /** Receives the lines that the script writes to descriptor 3, from the first one; what it reports is logged once. */
  onLine?: (line: string) => void;
  /** The longest that the operation may run: more than any needs. */
  hours?: number;
  /** The id of the operation, when it is not the only one of its job. */
  id?: string;
  /** Overrides `was_started` of the job. */
  mayHaveStarted?: boolean;
  /** Whether the operation, as far as it got, may still be stopped. Otherwise it runs to its end, even when cancelled. */
  mayStop?: () => boolean;
};

/** What is known about the start of an operation so far. */
export type StartState = {
  mayHaveStarted: boolean;
  /** The work starts the operation itself, and so knows whether an earlier worker did. */
  isOperation?: boolean;
  /** The fence from which claims count as failed attempts; the first one by default. */
  firstFence?: () => number;
};
type RetryOptions = Pick<JobContext, 'job' | 'report'> & { signal: AbortSignal };

/** Pauses before a host that did not answer is tried again. */
const pausesMs = [500, 1_000, 2_000, 4_000, 8_000];
/** Between two attempts, while the worker is free for other hosts. */
const retryLaterMs = 30_000;
/** After which work that never started is given up. */
const maxAttempts = 5;
/** Each attempt raises the fence twice: by its claim and by its release. */
const maxFences = 2 * (maxAttempts - 1);
const stopMs = 120_000;
const defaultHours = 7;
/** Until an operation that ignores the stop is killed; its worker cleans up afterwards. */
const stopSeconds = 2;
const purgeEveryMs = 24 * 3_600_000;
const transientFailures: readonly FailureKind[] = [
  'unresolved',
  'unasked',
  'unreachable',
  'refused',
  'timed-out',
  'banner',
  'too-many',
  'banned',
  'killed',
  'closed',
  'frozen',
  // All connections to this host were closed on purpose: the job's own signal is checked before.
  'cancelled',
];

/** Work that must happen once on a host: the first worker starts it, and any worker can follow it. */
export class Operations {
  private readonly purgedAt = new Map<string, number>();

  constructor(private readonly connections: Pick<Connections, 'use' | 'open'>) {}

  /** Starts the operation unless it has started, and follows it to its end. */
  async run(context: JobContext, task: Task): Promise<FollowResult> {
    const end = measureCommand(task.name, context.job.access?.row.id);
    try {
      const result = await this.runToEnd(context, task);
      end({ code: result.code });
      return result;
    } catch (failure) {
      end({ code: null, failure });
      throw failure;
    }
  }

  private async runToEnd(context: JobContext, task: Task): Promise<FollowResult> {
    const { job, signal, leaseSignal } = context;
    const access = requireAccess(job.access);
    const start: StartState = { mayHaveStarted: task.mayHaveStarted ?? job.was_started, isOperation: true };
    const dedicated = new StartConnection(this.connections, access, signal);
    const reader = lineReaderOf(context, task);
    const deadline = deadlineOf(task);
    try {
      const end = await this.startAndFollow(context, { dedicated, task, start, reader, deadline });
      void this.purgeJournals(access);
      return end;
    } catch (error) {
      const isCancelled = (signal.reason as StopReason | undefined) === 'cancelled' && !leaseSignal.aborted;
      if (!isCancelled || !start.mayHaveStarted) throw error;
      return await (task.mayStop ? this.stopOrFollow(context, task, reader) : this.stop(context, task, reader));
    } finally {
      dedicated.end();
    }
  }

  /** Retries work that may be repeated; when the job has started nothing yet, it is tried again later. */
  withConnection<T>(
    { job, report, signal, ...start }: RetryOptions & Omit<StartState, 'isOperation'>,
    work: (connection: Connection) => Promise<T>,
  ): Promise<T> {
    return this.retry({ job, report, signal, start }, work);
  }

  private startAndFollow(
    context: JobContext,
    { dedicated, task, start, reader, deadline }: OperationRun,
  ): Promise<FollowResult> {
    const { job, signal } = context;
    const id = task.id ?? job.id;
    return this.retry({ ...context, start }, async (connection) => {
      await dedicated.begin(connection, id, task);
      start.mayHaveStarted = true;
      return this.follow(connection, id, { reader, deadline, signal });
    });
  }

  private async retry<T>(
    { job, signal, report, start }: RetryOptions & { start: StartState },
    work: (connection: Connection) => Promise<T>,
  ): Promise<T> {
    const access = requireAccess(job.access);
    for (let failures = 0; ; failures += 1) {
      try {
        return await this.connections.use(access, { signal, work });
      } catch (error) {
        if (!(error instanceof SshFailure)) throw error;
        start.mayHaveStarted ||= error.wasStarted === 'unknown';
        signal.throwIfAborted();
        const pauseMs = pausesMs[failures];
        // Reading the journal may have been killed itself: another read may succeed.
        const isTransient = transientFailures.includes(error.kind) || error.kind === 'journal';
        if (pauseMs === undefined || !isTransient) {
          throw errorAfterRetries(error, { ...start, isLast: job.fence - (start.firstFence?.() ?? 1) >= maxFences });
        }
        report(null, `${error.message} ${willRetry}`);
        await wait(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted());
      }
    }
  }

  private async follow(
    connection: Connection,
    id: string,
    { reader, deadline, signal }: FollowOptions,
  ): Promise<FollowResult> {
    const onProgress = (bytes: Buffer) => reader.read(bytes);
    const totalMs = Math.max(0, deadline - performance.now());
    return follow(connection, id, { from: reader.offset, onProgress, totalMs, ...(signal && { signal }) });
  }

  /** Removes old journals, once a day on each host. After a failure the next day tries again. */
  private async purgeJournals(access: SshAccess): Promise<void> {
    const { id } = access.row;
    const now = performance.now();
    if (now - (this.purgedAt.get(id) ?? Number.NEGATIVE_INFINITY) < purgeEveryMs) return;
    this.purgedAt.set(id, now);
    const signal = AbortSignal.timeout(stopMs);
    await this.connections.use(access, { signal, work: (connection) => purge(connection) }).catch(() => undefined);
  }

  /** Stops the operation, and throws that it was cancelled, unless it had ended before. */
  private async stop(context: JobContext, task: Task, reader: LineReader): Promise<FollowResult> {
    const { job, signal } = context;
    try {
      return await this.connections.use(requireAccess(job.access), {
        signal: AbortSignal.timeout(stopMs),
        work: async (connection) => {
          const stopResult = await stop(connection, task.id ?? job.id);
          const end = await this.follow(connection, task.id ?? job.id, {
            reader,
            deadline: performance.now() + stopMs,
          });
          // The operation may have ended by itself meanwhile.
          if (stopResult === 'stopped' && end.outcome !== 'succeeded') signal.throwIfAborted();
          return end;
        },
      });
    } catch (error) {
      if (!(error instanceof SshFailure)) throw error;
      throw new OutcomeUnknown(errorOf(error));
    }
  }

  /**
   * Follows an operation that may no longer be stopped to its end. One that was stopped after it had reported something
   * returns its end too: it may have got further than was known.
   */
  private stopOrFollow(context: JobContext, task: Task, reader: LineReader): Promise<FollowResult> {
    const { job, leaseSignal, signal, report } = context;
    const id = task.id ?? job.id;
    const deadline = deadlineOf(task);
    const onProgress = (bytes: Buffer) => reader.read(bytes);
    return this.retry({ ...context, signal: leaseSignal, start: { mayHaveStarted: true } }, async (connection) => {
      const isThere = await peek(connection, id, { from: reader.offset, onProgress, signal: leaseSignal });
      if (isThere && !task.mayStop?.()) {
        report(null, 'L’annulation vient trop tard\u00a0: ce qui est commencé va à son terme, c’est le plus sûr.');
        return this.follow(connection, id, { reader, deadline, signal: leaseSignal });
      }
      const stopResult = await stop(connection, id, { graceSeconds: stopSeconds, signal: leaseSignal });
      const end = await this.follow(connection, id, {
        reader,
        deadline: performance.now() + stopMs,
        signal: leaseSignal,
      });
      if (stopResult === 'stopped' && reader.offset === 0) signal.throwIfAborted();
      return end;
    });
  }
}

type OperationRun = { dedicated: StartConnection; task: Task; start: StartState; reader: LineReader; deadline: number };
/** A host could claim for ever that the operation runs, hence the deadline. */
type FollowOptions = { reader: LineReader; deadline: number; signal?: AbortSignal };

const deadlineOf = ({ hours = defaultHours }: Task) => performance.now() + hours * 3_600_000;

/** Starts operations; a host that kills processes with their connection gets a dedicated one for each. */
class StartConnection {
  private dedicated: Connection | undefined;

  constructor(
    private readonly connections: Pick<Connections, 'open'>,
    readonly access: SshAccess,
    private readonly signal: AbortSignal,
  ) {}

  async begin(connection: Connection, id: string, { lockSeconds = 30, ...task }: Task): Promise<void> {
    const { signal } = this;
    const options = { signal, lockSeconds };
    if (!this.access.kills_children) {
      await begin(connection, { id, mode: 'detached', ...task }, options);
      return;
    }
    if (!this.dedicated?.isOpen) this.dedicated = await this.connections.open(this.access, signal);
    await begin(this.dedicated, { id, mode: 'attached', ...task }, options);
  }

  end(): void {
    void this.dedicated?.close();
  }
}

const lineReaderOf = ({ reportAt }: JobContext, { onLine }: Task) =>
  new LineReader((line, end) => {
    if (onLine) reportAt(end, () => onLine(line));
  });

type RetryState = StartState & { isLast: boolean };

function errorAfterRetries(failure: SshFailure, { mayHaveStarted, isOperation, isLast }: RetryState): Error {
  const isPassing = transientFailures.includes(failure.kind);
  const message = `${failure.message} ${willRetry}`;
  // A full disk may have room again, so an operation that has started is not given up for it.
  if (isPassing || failure.kind === 'locked' || (failure.kind === 'disk-full' && mayHaveStarted)) {
    // An operation that may have started is looked for until it is found.
    if (mayHaveStarted) return new RetryLater(retryLaterMs, message, true);
    if (!isLast) {
      return isOperation ? new NotStarted(retryLaterMs, message) : new RetryLater(retryLaterMs, message, false);
    }
  }
  if (mayHaveStarted) return new OutcomeUnknown(errorOf(failure));
  return failure;
}

/** The error of an operation that did not end with exit code 0. */
export function errorOfEnd({ outcome, code, stderr }: FollowResult): JobError {
  const message =
    outcome === 'unknown'
      ? 'L’opération s’est interrompue sur le serveur\u00a0: ce qu’elle a fait n’a pas pu être établi.'
      : `L’opération a échoué sur le serveur (code ${code}).`;
  return { message, stderr: stderr.bytes.toString(), code: outcome === 'unknown' ? 'interrupted' : 'exit_code' };
}
