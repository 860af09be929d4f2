import { createHash } from 'node:crypto';
import { Capture } from './capture';
import type { Connection } from './connection';
import { exec, type ExecResult } from './exec';
import { SshFailure } from './failure';
import { Opening } from './framed-output';
import { operationScriptOf, type JournalPlace, type OperationId } from './journal';
import beginScript from './journal-begin.sh';
import runner from './journal-run.sh';
import { launcherWithInput, notStartedFailure, scriptInput } from './script';
import { absolute } from './transfer';

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

type BeginOptions = JournalPlace & {
  /** How long the operation waits for its folder before it gives up without having begun. */
  lockSeconds?: number;
  signal?: AbortSignal;
};

const attachedMs = 24 * 3_600_000;
const storeMs = 120_000;
const maxSaid = 16_384;

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
  const ms = lockSeconds * 1_000 + storeMs;
  const late = AbortSignal.timeout(ms);
  const waiting = signal ? AbortSignal.any([signal, late]) : late;
  // An attached operation that has begun must outlive the caller's wait.
  const stopping = new AbortController();
  const giveUp = () => stopping.abort();
  waiting.addEventListener('abort', giveUp, { once: true });
  if (waiting.aborted) giveUp();
  const ended = exec(connection, launcherWithInput, {
    // An attached launcher lasts as long as its operation, which is measured as a whole.
    ...(operation.mode === 'detached' && { name: 'journal-begin.sh' }),
    input: launch.input,
    signal: stopping.signal,
    limits: { totalMs: attachedMs },
    onStdout: (bytes) => launch.hear(bytes),
  }).then((result) => launch.end(result));
  try {
    if (operation.mode === 'attached') return await Promise.race([launch.begun, ended]);
    // A launcher that fails after its verdict does not change it: the operation has begun.
    return await ended.catch((error: unknown) => launch.orThrow(error));
  } catch (error) {
    if (!late.aborted || signal?.aborted || !(error instanceof SshFailure)) throw error;
    throw new SshFailure({ kind: 'timed-out', phase: 'total', seconds: ms / 1_000 }, error.wasStarted);
  } finally {
    waiting.removeEventListener('abort', giveUp);
  }
}

/** The input that begins an operation on the host, and the host's answer to it. */
class Launch {
  readonly input: Buffer;
  readonly begun: Promise<BeginResult>;
  private readonly opening = new Opening();
  private readonly said = new Capture(maxSaid, 'first');
  private tell: (begun: BeginResult) => void = () => undefined;

  constructor(
    private readonly operation: Operation,
    lockSeconds: number,
    place: JournalPlace,
  ) {
    this.begun = new Promise((resolve) => (this.tell = resolve));
    const { word } = this.opening;
    const { id, script, input, lock, mode } = operation;
    const begins = operationScriptOf(beginScript, id, place);
    const parts = [operationScriptOf(runner, id, place).script, script, input].map((text) => Buffer.from(text));
    const task = Buffer.concat([...parts, Buffer.from(`#${word}\n`)]);
    const facts = [word, mode, lockSeconds, lock === null ? '' : absolute(lock), ...parts.map((part) => part.length)];
    const args = [...begins.args, ...facts.map(String), createHash('sha256').update(task).digest('hex')];
    this.input = Buffer.concat([Buffer.from(`${scriptInput(word, begins.script, args)}\n`), task]);
  }

  hear(bytes: Buffer): void {
    this.said.add(this.opening.after(bytes));
    const verdict = this.verdict();
    if (isBegun(verdict)) this.tell(verdict);
  }

  /** Interprets the end of the launcher. */
  end(result: ExecResult): BeginResult {
    if (!this.opening.wasReached) throw notStartedFailure(this.opening, result);
    return this.orThrow(this.refusal(result.stderr.bytes.toString()));
  }

  orThrow(error: unknown): BeginResult {
    const verdict = this.verdict();
    if (isBegun(verdict)) return verdict;
    throw error;
  }

  /** Reads the first line with the word; a later line is about the end of an attached operation. */
  private verdict(): Verdict {
    const line = new RegExp(`^${this.opening.word} ([a-z]+) ?([a-z0-9]*)\\n`, 'm');
    const [, state = '', detail = ''] = line.exec(this.said.bytes.toString('latin1')) ?? [];
    return { state, lock: detail };
  }

  private refusal(stderr: string): SshFailure {
    const { state, lock: version } = this.verdict();
    const said = (this.said.bytes.toString() + stderr).replaceAll(new RegExp(`^${this.opening.word} .*$`, 'gm'), '');
    if (state === 'locked') return new SshFailure({ kind: 'locked', path: this.operation.lock ?? '' });
    if (state === 'newer') return new SshFailure({ kind: 'newer-journal', version: Number(version) });
    if (state === 'cut') return new SshFailure({ kind: 'changed-file', said });
    if (state !== 'failed') return new SshFailure({ kind: 'journal', said }, 'unknown');
    return new SshFailure({ kind: /no space left|quota exceeded/i.test(said) ? 'disk-full' : 'journal', said });
  }
}

type Verdict = { state: string; lock: string };

const isBegun = (verdict: Verdict): verdict is BeginResult =>
  /^(started|attached|finished)$/.test(verdict.state) && /^(held|unavailable|none)$/.test(verdict.lock);
