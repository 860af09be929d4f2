import type { Connection } from './connection';
import { exec, type ExecResult } from './exec';
import { SshFailure } from './failure';
import { Opening } from './fence';
import { inShell, withoutShell } from './script';
import { Tally, type Transferred } from './tally';

export type TransferOptions = { signal?: AbortSignal; idleMs?: number; totalMs?: number };

const usual = { idleMs: 30_000, totalMs: 6 * 3_600_000 };

/** `tail` seeks in a file, and goes on from where a transfer was cut. */
const reading = inShell(
  'IFS= read -r w; IFS= read -r n; IFS= read -r p; [ -f "$p" ] || { echo "not a file" >&2; exit 66; }; echo; echo "$w"; exec tail -c "+$n" "$p"',
);
/** Never over a file that is there, nor through a link; what could not be written whole is removed. */
const writing = inShell(
  'IFS= read -r w; IFS= read -r p; umask 077; set -C; echo; echo "$w"; : >"$p" || exit 73; set +C; cat >>"$p" || { rm -f "$p"; exit 74; }; wc -c <"$p"',
);

/** Streams a file of the host from an offset; nothing more is read while `take` is not done. */
export async function download(
  connection: Connection,
  path: string,
  take: (bytes: Buffer) => void | Promise<void>,
  { from = 0, ...options }: TransferOptions & { from?: number } = {},
): Promise<Transferred> {
  const opening = new Opening();
  const went = new Tally();
  try {
    const result = await exec(connection, reading, {
      ...limitsOf(options),
      input: lines(opening.word, String(from + 1), absolute(path)),
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

/** Streams into a new file of the host, readable by its owner only. */
export async function upload(
  connection: Connection,
  path: string,
  content: AsyncIterable<Uint8Array>,
  options: TransferOptions = {},
): Promise<Transferred> {
  const opening = new Opening();
  const went = new Tally();
  let answer = '';
  const head = lines(opening.word, absolute(path));
  const input = async function* () {
    yield Buffer.from(head);
    for await (const bytes of content) {
      await went.add(bytes);
      yield bytes;
    }
  };
  try {
    const result = await exec(connection, writing, {
      ...limitsOf(options),
      input: input(),
      mostBytes: 1_048_576,
      onStdout: (bytes) => void (answer += opening.after(bytes).toString()),
    });
    check(result, opening);
    const transferred = await went.end();
    if (Number(answer) === transferred.bytes) return transferred;
    throw new SshFailure({ kind: 'changed-file', said: `${transferred.bytes} / ${answer.trim()}` }, 'unknown');
  } finally {
    went.close();
  }
}

/** Nothing to wait for is said at once: a stream that is paused for each packet is half as fast. */
function both(one: Promise<unknown> | undefined, other: Promise<void> | void): Promise<void> | undefined {
  if (!one || !other) return one?.then(() => undefined) ?? (other as Promise<void> | undefined);
  return Promise.all([one, other]).then(() => undefined);
}

export const lines = (...texts: readonly string[]) => texts.map((text) => `${text}\n`).join('');

export const limitsOf = ({ signal, idleMs = usual.idleMs, totalMs = usual.totalMs }: TransferOptions) => ({
  limits: { idleMs, totalMs },
  mostBytes: Number.POSITIVE_INFINITY,
  ...(signal && { signal }),
});

/** A path of a host as it is taken here; any other character is fine. */
export function absolute(path: string): string {
  if (!path.startsWith('/') || /[\p{Cc}]/u.test(path)) throw new Error('a path on a host is absolute and one line');
  return path;
}

export function check(result: ExecResult, opening: Opening): void {
  if (result.outcome === 'succeeded' && opening.wasReached) return;
  const said = result.stderr.bytes.toString();
  if (!opening.wasReached && result.code !== 66) throw withoutShell(opening.noise, said);
  throw new SshFailure({ kind: 'changed-file', said }, result.outcome === 'unknown' ? 'unknown' : 'no');
}
