import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from './connection';
import type { ExecResult, CapturedOutput } from './exec';
import { SshFailure } from './failure';
import { operationScriptOf, type JournalLocation, newerJournalFailure, type OperationId } from './journal';
import followScript from './journal-follow.sh';
import { runScript } from './script';

type FollowOptions = JournalLocation & {
  /** Offset of the first byte of progress to read. */
  from?: number;
  /** Receives each byte of progress once, in order; `next` is the offset to resume from. */
  onProgress?: (bytes: Buffer, next: number) => void | Promise<void>;
  signal?: AbortSignal;
  /** Time after which a host that still reports the operation as running is no longer believed. */
  totalMs?: number;
  /** Longest interval between two reads. */
  pollMs?: number;
};

export type FollowResult = {
  /** `unknown` when a signal ended the operation or its runner was lost: it may have done part of its work. */
  outcome: ExecResult['outcome'];
  code: number | null;
  wasStopped: boolean;
  /** The first bytes of standard output; `stderr` keeps the last ones. */
  stdout: CapturedOutput;
  stderr: CapturedOutput;
  /** Length of the progress file, in bytes. */
  offset: number;
};

/** Each read starts some ten programs on the host, and an operation that has just begun has little to tell. */
const firstMs = 200;
/** By then most operations have reported their first step. */
const firstWaitMs = 400;
/** Shorter than a command may take. */
const maxWaitMs = 20_000;
const maxBytes = { progress: 262_144, stdout: 1_048_576, stderr: 65_536 };
const maxProgress = 64 * 1_048_576;

/**
 * Reads an operation's progress until the operation is over. A caller may abort and resume at any time. Each read waits on
 * the host for the end, which is told at once; a host that cannot wait is asked more often.
 */
export async function follow(
  connection: Connection,
  id: OperationId,
  options: FollowOptions = {},
): Promise<FollowResult> {
  const { onProgress, signal, pollMs = 1_000, totalMs = Number.POSITIVE_INFINITY } = options;
  const pace = new ReadingPace(pollMs);
  let offset = options.from ?? 0;
  for (;;) {
    const snapshot = await readSnapshot(connection, id, offset, { ...options, waitMs: pace.beginRead() });
    const { progress } = snapshot;
    offset += progress.length;
    if (progress.length > 0) await onProgress?.(progress, offset);
    if (offset > maxProgress) throw new SshFailure({ kind: 'output-too-large', bytes: maxProgress }, 'unknown');
    if (snapshot.isOver && progress.length === snapshot.remaining) return { ...snapshot.result, offset };
    if (pace.elapsedMs > totalMs) throw new SshFailure({ kind: 'endless' }, 'unknown');
    await pause(pace.msAfter(snapshot), signal);
  }
}

/** When an operation is read: how long the host waits for its end before it answers, and the pause before the next read. */
class ReadingPace {
  private readonly startedAt = performance.now();
  private askedAt = 0;
  private waitMs: number;
  private canWait = true;

  constructor(private readonly pollMs: number) {
    this.waitMs = Math.min(firstWaitMs, pollMs);
  }

  get elapsedMs(): number {
    return performance.now() - this.startedAt;
  }

  beginRead(): number {
    this.askedAt = performance.now();
    return this.waitMs;
  }

  msAfter({ hasWaited, progress }: Snapshot): number {
    this.canWait &&= this.waitMs === 0 || hasWaited;
    const askedMs = this.waitMs;
    const isBehind = progress.length === maxBytes.progress;
    this.waitMs = this.canWait && !isBehind ? Math.min(this.pollMs, maxWaitMs) : 0;
    if (isBehind) return 0;
    // The host has waited less where the runner was killed and what it started lives on.
    if (this.canWait) return this.askedAt + askedMs - performance.now();
    // The end is noticed after a quarter of the operation's time at most.
    return Math.min(Math.max(firstMs, this.elapsedMs / 4), this.pollMs);
  }
}

/** Reads the progress written so far without waiting for the end. Returns false when the operation never began. */
export async function peek(
  connection: Connection,
  id: OperationId,
  { from = 0, onProgress, ...options }: Omit<FollowOptions, 'pollMs' | 'totalMs'>,
): Promise<boolean> {
  for (let offset = from; ; ) {
    const snapshot = await readSnapshot(connection, id, offset, options).catch((error: unknown) => {
      if (error instanceof SshFailure && error.kind === 'no-journal') return undefined;
      throw error;
    });
    if (!snapshot) return false;
    const { progress } = snapshot;
    offset += progress.length;
    if (progress.length > 0) await onProgress?.(progress, offset);
    if (progress.length < maxBytes.progress) return true;
  }
}

/** `hasWaited`: the host waited for the end as long as it was asked to. */
type Snapshot = {
  isOver: boolean;
  hasWaited: boolean;
  progress: Buffer;
  remaining: number;
  result: Omit<FollowResult, 'offset'>;
};

const statusLine = /^(running|ended|gone) (-|\d{1,3}) ([01]) ([01])((?: \d{1,15}){6})\n/;

async function readSnapshot(
  connection: Connection,
  id: OperationId,
  from: number,
  { waitMs = 0, ...options }: FollowOptions & { waitMs?: number },
): Promise<Snapshot> {
  if (!Number.isSafeInteger(from) || from < 0) throw new Error('an offset is a whole number');
  const { script, args } = operationScriptOf(followScript, id, options);
  const { signal } = options;
  const { outcome, stdout, stderr } = await runScript(connection, script, {
    args: [...args, ...[from, maxBytes.progress, maxBytes.stdout, maxBytes.stderr, waitMs / 1_000].map(String)],
    keep: { stdout: maxBytes.progress + maxBytes.stdout + maxBytes.stderr + 1_024 },
    name: 'journal-follow.sh',
    ...(signal && { signal }),
  });
  const answer = stdout.bytes;
  const line = answer.toString('latin1', 0, Math.min(answer.length, 200));
  if (line.startsWith('absent\n')) throw new SshFailure({ kind: 'no-journal' }, 'unknown');
  const snapshot = outcome === 'succeeded' && parseAnswer(answer, line, from);
  // The host has truncated a progress file that grew too long, so the offset is past its end.
  if (snapshot && snapshot.remaining < 0)
    throw new SshFailure({ kind: 'output-too-large', bytes: maxProgress }, 'unknown');
  if (snapshot) return snapshot;
  throw (
    newerJournalFailure(line) ?? new SshFailure({ kind: 'journal', detail: stderr.bytes.toString() || line }, 'unknown')
  );
}

/** Parses the answer; undefined when its length does not match its sizes. */
function parseAnswer(answer: Buffer, line: string, from: number): Snapshot | undefined {
  const match = statusLine.exec(line);
  if (!match) return undefined;
  const [head, state, code, stopped, waited, sizes = ''] = match;
  const [progressBytes = 0, part = 0, out = 0, outKept = 0, err = 0, errKept = 0] = sizes.trim().split(' ').map(Number);
  const [outAt, errAt] = [head.length + part, head.length + part + outKept];
  const remaining = progressBytes - from;
  if (answer.length !== errAt + errKept || part !== Math.min(Math.max(0, remaining), maxBytes.progress))
    return undefined;
  const exitCode = code === '-' ? null : Number(code);
  return {
    isOver: state !== 'running',
    hasWaited: waited === '1',
    progress: answer.subarray(head.length, outAt),
    remaining,
    result: {
      outcome: outcomeOf(exitCode),
      code: exitCode,
      wasStopped: stopped === '1',
      stdout: { bytes: answer.subarray(outAt, errAt), dropped: Math.max(0, out - outKept) },
      stderr: { bytes: answer.subarray(errAt), dropped: Math.max(0, err - errKept) },
    },
  };
}

/** A shell exits with 128 plus the number of the signal that ended a command. */
function outcomeOf(code: number | null): ExecResult['outcome'] {
  if (code === null || (code > 128 && code < 193)) return 'unknown';
  return code === 0 ? 'succeeded' : 'failed';
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (ms <= 0) return;
  try {
    await sleep(ms, undefined, signal && { signal });
  } catch {
    throw new SshFailure({ kind: 'cancelled' }, 'unknown');
  }
}
