import { createHash } from 'node:crypto';
import { Capture } from './capture';
import type { Connection } from './connection';
import { exec, type ExecResult } from './exec';
import { SshFailure } from './failure';
import { StartMarker } from './framed-output';
import { operationScriptOf, type JournalLocation, type OperationId } from './journal';
import beginScript from './journal-begin.sh';
import runner from './journal-run.sh';
import { launcherWithInput, notStartedFailure, scriptInput } from './script';
import { requireAbsolute } from './transfer';

export type Operation = {
  id: OperationId;
  /** A POSIX sh script, which reads its input on standard input and appends its progress to descriptor 3. */
  script: string;
  input: string;
  /** A folder of the host that no other operation may lock until every process of this one has ended. */
  lock: string | null;
  /** `attached` where a host kills processes that outlive their connection: the operation ends with its connection. */
  mode: 'detached' | 'attached';
};

export type BeginResult = {
  /** Started by this call, already running (`attached`), or already over. */
  state: 'started' | 'attached' | 'finished';
  /** `unavailable` where the host has no locking tool: the operation runs without a lock. */
  lock: 'held' | 'unavailable' | 'none';
};

type BeginOptions = JournalLocation & {
  /** How long the operation waits for its folder before it gives up without having begun. */
  lockSeconds?: number;
  signal?: AbortSignal;
};

const maxAttachedMs = 24 * 3_600_000;
const maxStoreMs = 120_000;
const maxOutputBytes = 16_384;

/**
 * Begins an operation on the host unless it has begun already. Callers may retry after any failure and from any
 * process: an operation begins at most once. A failure with `wasStarted: 'no'` means that nothing began and that no
 * attempt still waits for the folder; `stop` also prevents later attempts.
 */
export async function begin(
  connection: Connection,
  operation: Operation,
  options: BeginOptions = {},
): Promise<BeginResult> {
  const { lockSeconds = 30, signal } = options;
  const launch = new Launch(operation, lockSeconds, options);
  const ms = lockSeconds * 1_000 + maxStoreMs;
  const deadline = AbortSignal.timeout(ms);
  const waitSignal = signal ? AbortSignal.any([signal, deadline]) : deadline;
  // An attached operation that has begun must outlive the caller's wait.
  const launcherStop = new AbortController();
  const stopLauncher = () => launcherStop.abort();
  waitSignal.addEventListener('abort', stopLauncher, { once: true });
  if (waitSignal.aborted) stopLauncher();
  const launcherEnd = exec(connection, launcherWithInput, {
    // An attached launcher lasts as long as its operation, which is measured as a whole.
    ...(operation.mode === 'detached' && { name: 'journal-begin.sh' }),
    input: launch.input,
    signal: launcherStop.signal,
    limits: { totalMs: maxAttachedMs },
    onStdout: (bytes) => launch.receive(bytes),
  }).then((result) => launch.end(result));
  try {
    if (operation.mode === 'attached') return await Promise.race([launch.begun, launcherEnd]);
    // A launcher that fails after its verdict does not change it: the operation has begun.
    return await launcherEnd.catch((error: unknown) => launch.resultOrThrow(error));
  } catch (error) {
    if (!deadline.aborted || signal?.aborted || !(error instanceof SshFailure)) throw error;
    throw new SshFailure({ kind: 'timed-out', phase: 'total', seconds: ms / 1_000 }, error.wasStarted);
  } finally {
    waitSignal.removeEventListener('abort', stopLauncher);
  }
}

/** The input that begins an operation on the host, and the host's answer to it. */
class Launch {
  readonly input: Buffer;
  readonly begun: Promise<BeginResult>;
  private readonly marker = new StartMarker();
  private readonly output = new Capture(maxOutputBytes, 'first');
  private resolveBegun: (result: BeginResult) => void = () => undefined;

  constructor(
    private readonly operation: Operation,
    lockSeconds: number,
    location: JournalLocation,
  ) {
    this.begun = new Promise((resolve) => (this.resolveBegun = resolve));
    const { word } = this.marker;
    const { id, script, input, lock, mode } = operation;
    const beginCommand = operationScriptOf(beginScript, id, location);
    const parts = [operationScriptOf(runner, id, location).script, script, input].map((text) => Buffer.from(text));
    const task = Buffer.concat([...parts, Buffer.from(`#${word}\n`)]);
    const parameters = [
      word,
      mode,
      lockSeconds,
      lock === null ? '' : requireAbsolute(lock),
      ...parts.map((part) => part.length),
    ];
    const args = [...beginCommand.args, ...parameters.map(String), createHash('sha256').update(task).digest('hex')];
    this.input = Buffer.concat([Buffer.from(`${scriptInput(word, beginCommand.script, args)}\n`), task]);
  }

  receive(bytes: Buffer): void {
    this.output.add(this.marker.after(bytes));
    const verdict = this.verdict();
    if (isBeginResult(verdict)) this.resolveBegun(verdict);
  }

  end(result: ExecResult): BeginResult {
    if (!this.marker.wasReached) throw notStartedFailure(this.marker, result);
    return this.resultOrThrow(this.refusal(result.stderr.bytes.toString()));
  }

  resultOrThrow(error: unknown): BeginResult {
    const verdict = this.verdict();
    if (isBeginResult(verdict)) return verdict;
    throw error;
  }

  /** Reads the first line with the word; a later line is about the end of an attached operation. */
  private verdict(): Verdict {
    const line = new RegExp(`^${this.marker.word} ([a-z]+) ?([a-z0-9]*)\\n`, 'm');
    const [, state = '', detail = ''] = line.exec(this.output.bytes.toString('latin1')) ?? [];
    return { state, lock: detail };
  }

  private refusal(stderr: string): SshFailure {
    const { state, lock: version } = this.verdict();
    const output = (this.output.bytes.toString() + stderr).replaceAll(new RegExp(`^${this.marker.word} .*$`, 'gm'), '');
    if (state === 'locked') return new SshFailure({ kind: 'locked', path: this.operation.lock ?? '' });
    if (state === 'newer') return new SshFailure({ kind: 'newer-journal', version: Number(version) });
    if (state === 'cut') return new SshFailure({ kind: 'changed-file', detail: output });
    if (state !== 'failed') return new SshFailure({ kind: 'journal', detail: output }, 'unknown');
    return new SshFailure({
      kind: /no space left|quota exceeded/i.test(output) ? 'disk-full' : 'journal',
      detail: output,
    });
  }
}

type Verdict = { state: string; lock: string };

const isBeginResult = (verdict: Verdict): verdict is BeginResult =>
  /^(started|attached|finished)$/.test(verdict.state) && /^(held|unavailable|none)$/.test(verdict.lock);
