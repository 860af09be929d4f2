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
  /** POSIX sh. It finds its input on standard input, and appends its progress to descriptor 3. */
  script: string;
  input: string;
  /** A folder of the host that no other operation may have at once, nor while a process of this one is left. */
  lock: string | null;
  /** `attached` where a host kills what outlives its connection: it lives as long as the connection it began on. */
  mode: 'detached' | 'attached';
};

export type BeginResult = {
  /** By this call, by somebody before, or by somebody before and already over. */
  state: 'started' | 'attached' | 'finished';
  /** `unavailable` where the host has no tool that locks: it runs without. */
  lock: 'held' | 'unavailable' | 'none';
};

type BeginOptions = JournalPlace & {
  /** How long it waits for the folder, before it gives up without having begun. */
  lockSeconds?: number;
  signal?: AbortSignal;
};

const attachedMs = 24 * 3_600_000;
const storeMs = 120_000;
const maxSaid = 16_384;

/**
 * Has the host begin an operation, unless somebody did before. It may be called again whatever came of it, from
 * anywhere: an operation begins once at most. After a failure that was not started nothing began, and what waited for
 * the folder gave up; `stop` makes sure that nothing will begin later either.
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
  // Once it has begun, an attached operation lasts longer than whoever began it waits.
  const stopping = new AbortController();
  const giveUp = () => stopping.abort();
  waiting.addEventListener('abort', giveUp, { once: true });
  if (waiting.aborted) giveUp();
  const ended = exec(connection, launcherWithInput, {
    // Attached it lasts as long as the operation, which is measured as a whole.
    ...(operation.mode === 'detached' && { name: 'journal-begin.sh' }),
    input: launch.input,
    signal: stopping.signal,
    limits: { totalMs: attachedMs },
    onStdout: (bytes) => launch.hear(bytes),
  }).then((result) => launch.end(result));
  try {
    if (operation.mode === 'attached') return await Promise.race([launch.begun, ended]);
    // Its channel is free for the next command; but what was begun is begun, however that ends.
    return await ended.catch((error: unknown) => launch.orThrow(error));
  } catch (error) {
    if (!late.aborted || signal?.aborted || !(error instanceof SshFailure)) throw error;
    throw new SshFailure({ kind: 'timed-out', phase: 'total', seconds: ms / 1_000 }, error.wasStarted);
  } finally {
    waiting.removeEventListener('abort', giveUp);
  }
}

/** What goes to the host to begin an operation, and what it says to that. */
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

  /** The launcher is over. */
  end(result: ExecResult): BeginResult {
    if (!this.opening.wasReached) throw notStartedFailure(this.opening, result);
    return this.orThrow(this.refusal(result.stderr.bytes.toString()));
  }

  orThrow(error: unknown): BeginResult {
    const verdict = this.verdict();
    if (isBegun(verdict)) return verdict;
    throw error;
  }

  /** The first line with the word: what follows is about an attached operation that is over. */
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
