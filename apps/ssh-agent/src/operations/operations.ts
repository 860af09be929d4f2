import { setTimeout as wait } from 'node:timers/promises';
import type { SshAccess } from '@vigie/contracts/credentials';
import type { JobError } from '@vigie/contracts/jobs';
import type { Connection } from '@vigie/ssh/connection';
import { type FailureKind, SshFailure } from '@vigie/ssh/failure';
import { purge, stop } from '@vigie/ssh/journal';
import { begin, type Operation } from '@vigie/ssh/journal-begin';
import { type FollowResult, follow, peek } from '@vigie/ssh/journal-follow';
import type { Connections } from '../connections';
import { errorOf } from '../error-of';
import { Later, type LetGo, NotBegun, requireAccess, type Running, Unestablished } from '../jobs/job-handler';
import { watchCommand } from '../watched-connect';
import { LineReader } from './line-reader';

type Task = Pick<Operation, 'script' | 'input' | 'lock'> & {
  /** The file that it is, by which it is measured. */
  name: string;
  /** How long it waits for its folder, which another operation may have. */
  lockSeconds?: number;
  /** Hears what the script writes to descriptor 3, from its beginning: what it tells of it is in the log once. */
  onLine?: (line: string) => void;
  /** At most this long; more than any such operation needs. */
  hours?: number;
  /** Its own, where a job has several of them. */
  id?: string;
  /** Overrides `was_started` of the job. */
  mayHaveBegun?: boolean;
  /** Whether what was heard of it by now leaves it to be stopped: if not it comes to its end, cancelled or not. */
  mayStop?: () => boolean;
};

/** What is known of the start of an operation, by now. */
export type Start = {
  mayHaveBegun: boolean;
  /** Whoever tries would begin it, and knows of all who did before. */
  isOperation?: boolean;
  /** The fence from which on its claims count, where it is not the first one. */
  since?: () => number;
};
type TryOptions = Pick<Running, 'job' | 'tell'> & { signal: AbortSignal };

/** A host that does not answer may do so in a moment. */
const pausesMs = [500, 1_000, 2_000, 4_000, 8_000];
/** Meanwhile its worker is free for other hosts. */
const laterMs = 30_000;
/** Until work that never began is given up. */
const maxAttempts = 5;
/** Each attempt raises the fence twice: by its claim and by its release. */
const maxFences = 2 * (maxAttempts - 1);
const stopMs = 120_000;
const defaultHours = 7;
/** Until what is asked to stop is ended: whoever asks cleans up behind it. */
const stopSeconds = 2;
const forgetEveryMs = 24 * 3_600_000;
const passing: readonly FailureKind[] = [
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
  // By whoever closed all connections to this host: a job's own signal is looked at before.
  'cancelled',
];

/** What must happen on a host once: begun by whoever comes first, followed by whoever is left. */
export class Operations {
  private readonly forgotAt = new Map<string, number>();

  constructor(private readonly connections: Pick<Connections, 'use' | 'open'>) {}

  /** Begins it unless somebody did, and follows it to its end. */
  async run(running: Running, task: Task): Promise<FollowResult> {
    const end = watchCommand(task.name, running.job.access?.row.id);
    try {
      const followed = await this.toItsEnd(running, task);
      end({ code: followed.code });
      return followed;
    } catch (failure) {
      end({ code: null, failure });
      throw failure;
    }
  }

  private async toItsEnd(running: Running, task: Task): Promise<FollowResult> {
    const { job, signal, gone } = running;
    const access = requireAccess(job.access);
    const start: Start = { mayHaveBegun: task.mayHaveBegun ?? job.was_started, isOperation: true };
    const own = new OperationConnection(this.connections, access, signal);
    const reader = readerOf(running, task);
    const until = endOf(task);
    try {
      const end = await this.untilOver(running, { own, task, start, reader, until });
      void this.forgetOld(access);
      return end;
    } catch (error) {
      const isCancelled = (signal.reason as LetGo | undefined) === 'cancelled' && !gone.aborted;
      if (!isCancelled || !start.mayHaveBegun) throw error;
      return await (task.mayStop ? this.stopOrFollow(running, task, reader) : this.stop(running, task, reader));
    } finally {
      own.end();
    }
  }

  /** Work that only looks, however often it takes; where nothing has begun it is tried another time. */
  look<T>(
    { job, tell, signal, ...known }: TryOptions & Omit<Start, 'isOperation'>,
    work: (connection: Connection) => Promise<T>,
  ): Promise<T> {
    return this.keepTrying({ job, tell, signal, start: known }, work);
  }

  private untilOver(running: Running, { own, task, start, reader, until }: OperationRun): Promise<FollowResult> {
    const { job, signal } = running;
    const id = task.id ?? job.id;
    return this.keepTrying({ ...running, start }, async (connection) => {
      await own.begin(connection, id, task);
      start.mayHaveBegun = true;
      return this.follow(connection, id, { reader, until, signal });
    });
  }

  private async keepTrying<T>(
    { job, signal, tell, start }: TryOptions & { start: Start },
    work: (connection: Connection) => Promise<T>,
  ): Promise<T> {
    const access = requireAccess(job.access);
    for (let failures = 0; ; failures += 1) {
      try {
        return await this.connections.use(access, { signal, work });
      } catch (error) {
        if (!(error instanceof SshFailure)) throw error;
        start.mayHaveBegun ||= error.wasStarted === 'unknown';
        signal.throwIfAborted();
        const pauseMs = pausesMs[failures];
        // A look that was itself killed says nothing; the next one may.
        const mayPass = passing.includes(error.kind) || error.kind === 'journal';
        if (pauseMs === undefined || !mayPass) {
          throw whatFollows(error, { ...start, isLast: job.fence - (start.since?.() ?? 1) >= maxFences });
        }
        tell(null, `${error.message} Nouvel essai dans un instant.`);
        await wait(pauseMs, undefined, { signal });
      }
    }
  }

  private async follow(
    connection: Connection,
    id: string,
    { reader, until, signal }: FollowOptions,
  ): Promise<FollowResult> {
    const onProgress = (bytes: Buffer) => reader.read(bytes);
    const totalMs = Math.max(0, until - performance.now());
    return follow(connection, id, { from: reader.offset, onProgress, totalMs, ...(signal && { signal }) });
  }

  /** Once a day on each host that has operations at all. Where it fails, the next day comes. */
  private async forgetOld(access: SshAccess): Promise<void> {
    const { id } = access.row;
    const now = performance.now();
    if (now - (this.forgotAt.get(id) ?? Number.NEGATIVE_INFINITY) < forgetEveryMs) return;
    this.forgotAt.set(id, now);
    const signal = AbortSignal.timeout(stopMs);
    await this.connections.use(access, { signal, work: (connection) => purge(connection) }).catch(() => undefined);
  }

  /** What had ended before it could be stopped did end; what was stopped is cancelled. */
  private async stop(running: Running, task: Task, reader: LineReader): Promise<FollowResult> {
    const { job, signal } = running;
    try {
      return await this.connections.use(requireAccess(job.access), {
        signal: AbortSignal.timeout(stopMs),
        work: async (connection) => {
          const said = await stop(connection, task.id ?? job.id);
          const end = await this.follow(connection, task.id ?? job.id, { reader, until: performance.now() + stopMs });
          // It may have come to its end while it was asked to stop.
          if (said === 'stopped' && end.outcome !== 'succeeded') signal.throwIfAborted();
          return end;
        },
      });
    } catch (error) {
      if (!(error instanceof SshFailure)) throw error;
      throw new Unestablished(errorOf(error));
    }
  }

  /**
   * What may not be stopped any more comes to its end. Of what was stopped after it had said something its end tells:
   * it may have got further than it was known to be.
   */
  private stopOrFollow(running: Running, task: Task, reader: LineReader): Promise<FollowResult> {
    const { job, gone, signal, tell } = running;
    const id = task.id ?? job.id;
    const until = endOf(task);
    const onProgress = (bytes: Buffer) => reader.read(bytes);
    return this.keepTrying({ ...running, signal: gone, start: { mayHaveBegun: true } }, async (connection) => {
      const isThere = await peek(connection, id, { from: reader.offset, onProgress, signal: gone });
      if (isThere && !task.mayStop?.()) {
        tell(null, 'L’annulation vient trop tard\u00a0: ce qui est commencé va à son terme, c’est le plus sûr.');
        return this.follow(connection, id, { reader, until, signal: gone });
      }
      const said = await stop(connection, id, { graceSeconds: stopSeconds, signal: gone });
      const end = await this.follow(connection, id, { reader, until: performance.now() + stopMs, signal: gone });
      if (said === 'stopped' && reader.offset === 0) signal.throwIfAborted();
      return end;
    });
  }
}

type OperationRun = { own: OperationConnection; task: Task; start: Start; reader: LineReader; until: number };
/** `until`: a host may say for ever that it runs. */
type FollowOptions = { reader: LineReader; until: number; signal?: AbortSignal };

const endOf = ({ hours = defaultHours }: Task) => performance.now() + hours * 3_600_000;

/** Where a host kills what outlives its connection, the operation gets one of its own. */
class OperationConnection {
  private own: Connection | undefined;

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
    if (!this.own?.isOpen) this.own = await this.connections.open(this.access, signal);
    await begin(this.own, { id, mode: 'attached', ...task }, options);
  }

  end(): void {
    void this.own?.close();
  }
}

const readerOf = ({ hear }: Running, { onLine }: Task) =>
  new LineReader((line, end) => {
    if (onLine) hear(end, () => onLine(line));
  });

type Failure = Start & { isLast: boolean };

function whatFollows(failure: SshFailure, { mayHaveBegun, isOperation, isLast }: Failure): Error {
  const isPassing = passing.includes(failure.kind);
  // A full disk may have room again; what has begun is not given up for it.
  if (isPassing || failure.kind === 'locked' || (failure.kind === 'disk-full' && mayHaveBegun)) {
    // What was begun is looked for until it is found.
    if (mayHaveBegun) return new Later(laterMs, failure.message, true);
    if (!isLast) {
      return isOperation ? new NotBegun(laterMs, failure.message) : new Later(laterMs, failure.message, false);
    }
  }
  if (mayHaveBegun) return new Unestablished(errorOf(failure));
  return failure;
}

/** What came of it: nothing is said to be done but by its own exit code. */
export function errorOfEnd({ outcome, code, stderr }: FollowResult): JobError {
  const message =
    outcome === 'unknown'
      ? 'L’opération s’est interrompue sur le serveur\u00a0: ce qu’elle a fait n’a pas pu être établi.'
      : `L’opération a échoué sur le serveur (code ${code}).`;
  return { message, stderr: stderr.bytes.toString(), code: outcome === 'unknown' ? 'interrupted' : 'exit_code' };
}
