import type { Connection } from './connection';
import { exec, type ExecResult } from './exec';
import { SshFailure } from './failure';
import { Opening } from './framed-output';
import { inShell, launcherWithInput, scriptInput, notStartedFailure } from './script';
import { Tally, type TransferResult } from './tally';

export type TransferOptions = { signal?: AbortSignal; idleMs?: number; totalMs?: number };

const defaults = { idleMs: 30_000, totalMs: 6 * 3_600_000 };

/** `tail` seeks, so a transfer that was cut can resume from an offset. */
const reading = inShell(
  'IFS= read -r w; IFS= read -r n; IFS= read -r p; [ -f "$p" ] || { echo "not a file" >&2; exit 66; }; echo; echo "$w"; exec tail -c "+$n" "$p"',
);
/** Refuses to overwrite a file or to follow a link, and removes a file that could not be written whole. */
const writing = inShell(
  'IFS= read -r w; IFS= read -r p; umask 077; set -C; echo; echo "$w"; : >"$p" || exit 73; set +C; cat >>"$p" || { rm -f "$p"; exit 74; }; wc -c <"$p"',
);

/** The command on the host and the header that it reads first: the marker word, then its parameters. */
type Command = { command: string; head: (word: string) => string };

const scripted = (script: string, args: readonly string[]): Command => ({
  command: launcherWithInput,
  head: (word) => `${scriptInput(word, script, args)}\n`,
});

type Take = (bytes: Buffer) => void | Promise<void>;

/** Streams a file of the host from an offset; reading pauses while `consume` is pending. */
export function download(
  connection: Connection,
  path: string,
  take: Take,
  { from = 0, ...options }: TransferOptions & { from?: number } = {},
): Promise<TransferResult> {
  const head = (word: string) => lines(word, String(from + 1), absolute(path));
  return receive(connection, { command: reading, head }, take, options);
}

type Scripted = TransferOptions & { args: readonly string[] };

/** Downloads the whole output of a script. */
export function downloadFrom(
  connection: Connection,
  script: string,
  take: Take,
  { args, ...options }: Scripted,
): Promise<TransferResult> {
  return receive(connection, scripted(script, args), take, options);
}

async function receive(
  connection: Connection,
  { command, head }: Command,
  take: Take,
  options: TransferOptions,
): Promise<TransferResult> {
  const opening = new Opening();
  const went = new Tally();
  try {
    const result = await exec(connection, command, {
      ...limitsOf(options),
      name: 'download',
      input: head(opening.word),
      onStdout: (all) => {
        const bytes = opening.after(all);
        return bytes.length === 0 ? undefined : both(went.add(bytes), take(bytes));
      },
    });
    check(result, opening);
    return await went.end();
  } finally {
    went.close();
  }
}

/** Streams content into a new file of the host that only its owner can read. */
export async function upload(
  connection: Connection,
  path: string,
  content: AsyncIterable<Uint8Array>,
  options: TransferOptions = {},
): Promise<TransferResult> {
  const head = (word: string) => lines(word, absolute(path));
  const { answer, ...transferred } = await send(connection, { command: writing, head }, content, options);
  if (Number(answer) === transferred.bytes) return transferred;
  throw new SshFailure({ kind: 'changed-file', said: `${transferred.bytes} / ${answer.trim()}` }, 'unknown');
}

/** Streams content into a script's standard input. */
export async function uploadTo(
  connection: Connection,
  script: string,
  content: AsyncIterable<Uint8Array>,
  { args, ...options }: Scripted,
): Promise<TransferResult> {
  const { bytes, sha256 } = await send(connection, scripted(script, args), content, options);
  return { bytes, sha256 };
}

async function send(
  connection: Connection,
  { command, head }: Command,
  content: AsyncIterable<Uint8Array>,
  options: TransferOptions,
): Promise<TransferResult & { answer: string }> {
  const opening = new Opening();
  const went = new Tally();
  let answer = '';
  const input = async function* () {
    yield Buffer.from(head(opening.word));
    for await (const bytes of content) {
      await went.add(bytes);
      yield bytes;
    }
  };
  try {
    const result = await exec(connection, command, {
      ...limitsOf(options),
      name: 'upload',
      input: input(),
      mostBytes: 1_048_576,
      onStdout: (bytes) => void (answer += opening.after(bytes).toString()),
    });
    check(result, opening);
    return { ...(await went.end()), answer };
  } finally {
    went.close();
  }
}

/** Returns undefined where nothing is pending, because pausing the stream for each packet halves its speed. */
function both(one: Promise<unknown> | undefined, other: Promise<void> | void): Promise<void> | undefined {
  if (!one || !other) return one?.then(() => undefined) ?? (other as Promise<void> | undefined);
  return Promise.all([one, other]).then(() => undefined);
}

export const lines = (...texts: readonly string[]) => texts.map((text) => `${text}\n`).join('');

export const limitsOf = ({ signal, idleMs = defaults.idleMs, totalMs = defaults.totalMs }: TransferOptions) => ({
  limits: { idleMs, totalMs },
  mostBytes: Number.POSITIVE_INFINITY,
  ...(signal && { signal }),
});

/** Requires a path that is absolute and on one line; any other character is fine. */
export function absolute(path: string): string {
  if (!path.startsWith('/') || /[\p{Cc}]/u.test(path)) throw new Error('a path on a host is absolute and one line');
  return path;
}

export function check(result: ExecResult, opening: Opening): void {
  if (result.outcome === 'succeeded' && opening.wasReached) return;
  const said = result.stderr.bytes.toString();
  if (!opening.wasReached && result.code !== 66) throw notStartedFailure(opening, result);
  throw new SshFailure({ kind: 'changed-file', said }, result.outcome === 'unknown' ? 'unknown' : 'no');
}
