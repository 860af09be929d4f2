import type { Connection } from './connection';
import { exec } from './exec';
import { SshFailure } from './failure';
import { Opening } from './framed-output';
import { isRefusedForRoom } from './pooled-host';
import { inShell } from './script';
import { Tally, type TransferResult } from './tally';
import { absolute, check, limitsOf, lines, type TransferOptions } from './transfer';

type StripesOptions = TransferOptions & {
  /** The expected size of the file. */
  bytes: number;
  channels?: number;
};

/** The host starts a process for each block. */
const blockBytes = 1_048_576;
/** How far a channel may run ahead of the others before it waits; ssh2 buffers its window besides. */
const maxAhead = blockBytes / 4;

/** Prints every `s`th block, starting with block `k`. */
const reading = inShell(
  'IFS= read -r w; IFS= read -r k; IFS= read -r s; IFS= read -r n; IFS= read -r p; [ -f "$p" ] || { echo "not a file" >&2; exit 66; }; echo; echo "$w"; ' +
    `while [ "$k" -lt "$n" ]; do dd if="$p" bs=${blockBytes} skip="$k" count=1 2>/dev/null || exit 74; k=$((k+s)); done`,
);

/**
 * Streams a file of the host in order over several channels, which carry its blocks in turn: one channel carries at
 * most its window of 2 MiB in a round trip, which is slow over a long distance. A host may accept fewer channels.
 */
export async function downloadStriped(
  connection: Connection,
  path: string,
  take: (bytes: Buffer) => void | Promise<void>,
  { bytes, channels = 3, ...options }: StripesOptions,
): Promise<TransferResult> {
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  const blocks = Math.max(1, Math.ceil(bytes / blockBytes));
  const asked = Array.from(
    { length: Math.min(channels, blocks) },
    () => new Stripe(connection, { ...options, signal }, [blocks, absolute(path)]),
  );
  const went = new Tally();
  try {
    const refused = await Promise.all(asked.map((stripe) => stripe.refused));
    const stripes = asked.filter((_, place) => !refused[place]);
    if (stripes.length === 0) await asked[0]?.over;
    for (const [place, stripe] of stripes.entries()) stripe.start(place, stripes.length);
    const all = inOrder(stripes, bytes, async (part) => {
      await Promise.all([went.add(part), take(part)]);
    }).then(() => stripes.forEach((stripe) => stripe.letGo()));
    await Promise.all([all, ...stripes.map(({ over }) => over)]);
    const transferred = await went.end();
    if (transferred.bytes === bytes && !stripes.some(({ hasMore }) => hasMore)) return transferred;
    throw new SshFailure({ kind: 'changed-file', said: `${transferred.bytes} / ${bytes}` });
  } catch (error) {
    stop.abort();
    throw error;
  } finally {
    went.close();
  }
}

async function inOrder(stripes: readonly Stripe[], bytes: number, take: (part: Buffer) => Promise<void>) {
  for (let place = 0; place < bytes; ) {
    const block = Math.floor(place / blockBytes);
    const left = Math.min(bytes, (block + 1) * blockBytes) - place;
    const part = await stripes[block % stripes.length]?.next(left);
    // The command's own failure says why it ended.
    if (!part) return;
    await take(part);
    place += part.length;
  }
}

/** The blocks that one channel carries. */
class Stripe {
  /** Whether the host refused one more command. */
  readonly refused: Promise<boolean>;
  readonly over: Promise<void>;
  private readonly opening = new Opening();
  private readonly queue: Buffer[] = [];
  private ahead = 0;
  hasMore = false;
  private isUnread = false;
  private isOver = false;
  private wake: () => void = () => undefined;
  private makeRoom: () => void = () => undefined;
  start: (place: number, of: number) => void = () => undefined;

  constructor(connection: Connection, options: TransferOptions, [blocks, path]: readonly [number, string]) {
    const started = new Promise<string>((resolve) => {
      this.start = (place, of) => resolve(lines(this.opening.word, `${place}`, `${of}`, `${blocks}`, path));
    });
    let open: (isRefused: false) => void = () => undefined;
    const opened = new Promise<false>((resolve) => (open = resolve));
    // Read once the command runs: only then is the number of accepted channels known.
    const input = async function* () {
      open(false);
      yield Buffer.from(await started);
    };
    this.over = this.run(connection, options, input());
    this.refused = Promise.race([opened, this.over.then(() => false, isRefusedForRoom)]);
  }

  /** Drops whatever still arrives, so that the channel does not wait forever. */
  letGo(): void {
    this.hasMore = this.queue.length > 0;
    this.isUnread = true;
    this.makeRoom();
  }

  /** Resolves with at most `max` bytes as soon as there are any, or with undefined at the end. */
  async next(max: number): Promise<Buffer | undefined> {
    while (this.queue.length === 0 && !this.isOver) await new Promise<void>((resolve) => (this.wake = resolve));
    const first = this.queue.shift();
    const part = first?.subarray(0, max);
    if (first && first.length > max) this.queue.unshift(first.subarray(max));
    this.ahead -= part?.length ?? 0;
    if (this.ahead < maxAhead / 2) this.makeRoom();
    return part;
  }

  private async run(connection: Connection, options: TransferOptions, input: AsyncIterable<Uint8Array>) {
    try {
      const onStdout = (all: Buffer) => this.add(this.opening.after(all));
      check(await exec(connection, reading, { ...limitsOf(options), input, onStdout }), this.opening);
    } finally {
      this.isOver = true;
      this.wake();
    }
  }

  private add(bytes: Buffer): Promise<void> | undefined {
    this.hasMore ||= this.isUnread && bytes.length > 0;
    if (bytes.length === 0 || this.isUnread) return undefined;
    this.queue.push(bytes);
    this.ahead += bytes.length;
    this.wake();
    return this.ahead < maxAhead ? undefined : new Promise((resolve) => (this.makeRoom = resolve));
  }
}
