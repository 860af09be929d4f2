import type { Connection } from './connection';
import { exec } from './exec';
import { SshFailure } from './failure';
import { StartMarker } from './framed-output';
import { isCapacityRefusal } from './pooled-host';
import { inShell } from './script';
import { TransferDigest, type TransferResult } from './transfer-digest';
import { requireAbsolute, requireSuccess, execOptionsOf, joinLines, type TransferOptions } from './transfer';

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
const readCommand = inShell(
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
  consume: (bytes: Buffer) => void | Promise<void>,
  { bytes, channels = 3, ...options }: StripesOptions,
): Promise<TransferResult> {
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  const blocks = Math.max(1, Math.ceil(bytes / blockBytes));
  const requested = Array.from(
    { length: Math.min(channels, blocks) },
    () => new Stripe(connection, { ...options, signal }, [blocks, requireAbsolute(path)]),
  );
  const digest = new TransferDigest();
  try {
    const refused = await Promise.all(requested.map((stripe) => stripe.refused));
    const stripes = requested.filter((_, index) => !refused[index]);
    if (stripes.length === 0) await requested[0]?.finished;
    for (const [index, stripe] of stripes.entries()) stripe.start(index, stripes.length);
    const delivery = inOrder(stripes, bytes, async (part) => {
      await Promise.all([digest.add(part), consume(part)]);
    }).then(() => stripes.forEach((stripe) => stripe.discardRest()));
    await Promise.all([delivery, ...stripes.map(({ finished }) => finished)]);
    const result = await digest.end();
    if (result.bytes === bytes && !stripes.some(({ hasMore }) => hasMore)) return result;
    throw new SshFailure({ kind: 'changed-file', detail: `${result.bytes} / ${bytes}` });
  } catch (error) {
    stop.abort();
    throw error;
  } finally {
    digest.close();
  }
}

async function inOrder(stripes: readonly Stripe[], bytes: number, consume: (part: Buffer) => Promise<void>) {
  for (let index = 0; index < bytes; ) {
    const block = Math.floor(index / blockBytes);
    const remainingBytes = Math.min(bytes, (block + 1) * blockBytes) - index;
    const part = await stripes[block % stripes.length]?.next(remainingBytes);
    // The command's own failure says why it ended.
    if (!part) return;
    await consume(part);
    index += part.length;
  }
}

class Stripe {
  /** Whether the host refused one more command. */
  readonly refused: Promise<boolean>;
  readonly finished: Promise<void>;
  private readonly marker = new StartMarker();
  private readonly queue: Buffer[] = [];
  private ahead = 0;
  hasMore = false;
  private isUnread = false;
  private isOver = false;
  private wake: () => void = () => undefined;
  private resumeReading: () => void = () => undefined;
  start: (index: number, count: number) => void = () => undefined;

  constructor(connection: Connection, options: TransferOptions, [blocks, path]: readonly [number, string]) {
    const started = new Promise<string>((resolve) => {
      this.start = (index, count) => resolve(joinLines(this.marker.word, `${index}`, `${count}`, `${blocks}`, path));
    });
    let open: (isRefused: false) => void = () => undefined;
    const opened = new Promise<false>((resolve) => (open = resolve));
    // Read once the command runs: only then is the number of accepted channels known.
    const input = async function* () {
      open(false);
      yield Buffer.from(await started);
    };
    this.finished = this.run(connection, options, input());
    this.refused = Promise.race([opened, this.finished.then(() => false, isCapacityRefusal)]);
  }

  /** Drops whatever still arrives, so that the channel does not wait forever. */
  discardRest(): void {
    this.hasMore = this.queue.length > 0;
    this.isUnread = true;
    this.resumeReading();
  }

  /** Resolves with at most `max` bytes as soon as there are any, or with undefined at the end. */
  async next(max: number): Promise<Buffer | undefined> {
    while (this.queue.length === 0 && !this.isOver) await new Promise<void>((resolve) => (this.wake = resolve));
    const first = this.queue.shift();
    const part = first?.subarray(0, max);
    if (first && first.length > max) this.queue.unshift(first.subarray(max));
    this.ahead -= part?.length ?? 0;
    if (this.ahead < maxAhead / 2) this.resumeReading();
    return part;
  }

  private async run(connection: Connection, options: TransferOptions, input: AsyncIterable<Uint8Array>) {
    try {
      const onStdout = (delivery: Buffer) => this.add(this.marker.after(delivery));
      requireSuccess(await exec(connection, readCommand, { ...execOptionsOf(options), input, onStdout }), this.marker);
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
    return this.ahead < maxAhead ? undefined : new Promise((resolve) => (this.resumeReading = resolve));
  }
}
