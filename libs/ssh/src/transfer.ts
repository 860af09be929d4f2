import type { Connection } from './connection';
import { exec, type ExecResult } from './exec';
import { SshFailure } from './failure';
import { StartMarker } from './framed-output';
import { inShell, launcherWithInput, scriptInput, notStartedFailure } from './script';
import { TransferDigest, type TransferResult } from './transfer-digest';

export type TransferOptions = { signal?: AbortSignal; idleMs?: number; totalMs?: number };

const defaults = { idleMs: 30_000, totalMs: 6 * 3_600_000 };

/** `tail` seeks, so a transfer that was cut can resume from an offset. */
const readCommand = inShell(
  'IFS= read -r w; IFS= read -r n; IFS= read -r p; [ -f "$p" ] || { echo "not a file" >&2; exit 66; }; echo; echo "$w"; exec tail -c "+$n" "$p"',
);
/** Refuses to overwrite a file or to follow a link, and removes a file that could not be written whole. */
const writeCommand = inShell(
  'IFS= read -r w; IFS= read -r p; umask 077; set -C; echo; echo "$w"; : >"$p" || exit 73; set +C; cat >>"$p" || { rm -f "$p"; exit 74; }; wc -c <"$p"',
);

/** The command on the host and the header that it reads first: the marker word, then its parameters. */
type Command = { command: string; header: (word: string) => string };

const scriptCommand = (script: string, args: readonly string[]): Command => ({
  command: launcherWithInput,
  header: (word) => `${scriptInput(word, script, args)}\n`,
});

type Consume = (bytes: Buffer) => void | Promise<void>;

/** Streams a file of the host from an offset; reading pauses while `consume` is pending. */
export function download(
  connection: Connection,
  path: string,
  consume: Consume,
  { from = 0, ...options }: TransferOptions & { from?: number } = {},
): Promise<TransferResult> {
  const header = (word: string) => joinLines(word, String(from + 1), requireAbsolute(path));
  return receive(connection, { command: readCommand, header }, consume, options);
}

type ScriptTransferOptions = TransferOptions & { args: readonly string[] };

/** Downloads the whole output of a script. */
export function downloadFrom(
  connection: Connection,
  script: string,
  consume: Consume,
  { args, ...options }: ScriptTransferOptions,
): Promise<TransferResult> {
  return receive(connection, scriptCommand(script, args), consume, options);
}

async function receive(
  connection: Connection,
  { command, header }: Command,
  consume: Consume,
  options: TransferOptions,
): Promise<TransferResult> {
  const marker = new StartMarker();
  const digest = new TransferDigest();
  try {
    const result = await exec(connection, command, {
      ...execOptionsOf(options),
      name: 'download',
      input: header(marker.word),
      onStdout: (all) => {
        const bytes = marker.after(all);
        return bytes.length === 0 ? undefined : waitForBoth(digest.add(bytes), consume(bytes));
      },
    });
    requireSuccess(result, marker);
    return await digest.end();
  } finally {
    digest.close();
  }
}

/** Streams content into a new file of the host that only its owner can read. */
export async function upload(
  connection: Connection,
  path: string,
  content: AsyncIterable<Uint8Array>,
  options: TransferOptions = {},
): Promise<TransferResult> {
  const header = (word: string) => joinLines(word, requireAbsolute(path));
  const { answer, ...result } = await send(connection, { command: writeCommand, header }, content, options);
  if (Number(answer) === result.bytes) return result;
  throw new SshFailure({ kind: 'changed-file', detail: `${result.bytes} / ${answer.trim()}` }, 'unknown');
}

/** Streams content into a script's standard input. */
export async function uploadTo(
  connection: Connection,
  script: string,
  content: AsyncIterable<Uint8Array>,
  { args, ...options }: ScriptTransferOptions,
): Promise<TransferResult> {
  const { bytes, sha256 } = await send(connection, scriptCommand(script, args), content, options);
  return { bytes, sha256 };
}

async function send(
  connection: Connection,
  { command, header }: Command,
  content: AsyncIterable<Uint8Array>,
  options: TransferOptions,
): Promise<TransferResult & { answer: string }> {
  const marker = new StartMarker();
  const digest = new TransferDigest();
  let answer = '';
  const input = async function* () {
    yield Buffer.from(header(marker.word));
    for await (const bytes of content) {
      await digest.add(bytes);
      yield bytes;
    }
  };
  try {
    const result = await exec(connection, command, {
      ...execOptionsOf(options),
      name: 'upload',
      input: input(),
      maxBytes: 1_048_576,
      onStdout: (bytes) => void (answer += marker.after(bytes).toString()),
    });
    requireSuccess(result, marker);
    return { ...(await digest.end()), answer };
  } finally {
    digest.close();
  }
}

/** Returns undefined where nothing is pending, because pausing the stream for each packet halves its speed. */
function waitForBoth(one: Promise<unknown> | undefined, other: Promise<void> | void): Promise<void> | undefined {
  if (!one || !other) return one?.then(() => undefined) ?? (other as Promise<void> | undefined);
  return Promise.all([one, other]).then(() => undefined);
}

export const joinLines = (...texts: readonly string[]) => texts.map((text) => `${text}\n`).join('');

export const execOptionsOf = ({ signal, idleMs = defaults.idleMs, totalMs = defaults.totalMs }: TransferOptions) => ({
  limits: { idleMs, totalMs },
  maxBytes: Number.POSITIVE_INFINITY,
  ...(signal && { signal }),
});

/** Requires a path that is absolute and on one line; any other character is fine. */
export function requireAbsolute(path: string): string {
  if (!path.startsWith('/') || /[\p{Cc}]/u.test(path)) throw new Error('a path on a host is absolute and one line');
  return path;
}

export function requireSuccess(result: ExecResult, marker: StartMarker): void {
  if (result.outcome === 'succeeded' && marker.wasReached) return;
  const stderr = result.stderr.bytes.toString();
  if (!marker.wasReached && result.code !== 66) throw notStartedFailure(marker, result);
  throw new SshFailure({ kind: 'changed-file', detail: stderr }, result.outcome === 'unknown' ? 'unknown' : 'no');
}
