import { createHash } from 'node:crypto';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';

/** Size and hash of the transferred bytes, to compare with the other side. */
export type TransferResult = { bytes: number; sha256: string };

const blockBytes = 262_144;
/** Blocks in flight to the thread and back: enough that neither side waits. */
const maxBlocks = 8;

/** Source text rather than a file, so that the thread starts from any bundled service. */
const hasher = `
const { createHash } = require('node:crypto');
require('node:worker_threads').parentPort.on('message', (port) => {
  const hash = createHash('sha256');
  port.on('message', ({ block, length }) => {
    if (block === undefined) return port.postMessage({ sha256: hash.digest('hex') });
    hash.update(new Uint8Array(block, 0, length));
    port.postMessage({ block }, [block]);
  });
});`;

let thread: Worker | undefined;

/** One thread serves all transfers and does not keep the process alive. */
function openLine(): MessagePort {
  if (!thread) {
    const started = new Worker(hasher, { eval: true });
    started.unref();
    // Its ports close with it, and each transfer listens to its port.
    started.on('error', () => undefined).once('exit', () => (thread = undefined));
    thread = started;
  }
  const { port1, port2 } = new MessageChannel();
  thread.postMessage(port2, [port2]);
  return port1;
}

type Answer = { block: ArrayBuffer } | { sha256: string };
type Waiting = { resolve: (sha256: string) => void; reject: (error: Error) => void };

/**
 * Counts and hashes bytes in their order, in another thread: SHA-256 costs as much as the rest of a transfer, and the
 * main thread serves everybody. Content that fits into one block is hashed in place.
 */
export class Tally {
  private bytes = 0;
  private block = Buffer.alloc(0);
  private used = 0;
  private sent = 0;
  private readonly free: ArrayBuffer[] = [];
  private line: MessagePort | undefined;
  private isClosed = false;
  private room: Waiting | undefined;
  private result: Waiting | undefined;

  /** Copies the bytes. The caller awaits the returned promise, if any, before it adds more. */
  add(bytes: Uint8Array): Promise<unknown> | undefined {
    this.bytes += bytes.length;
    for (let from = 0; from < bytes.length; ) {
      if (this.used === this.block.length) this.turn();
      const part = bytes.subarray(from, from + this.block.length - this.used);
      this.block.set(part, this.used);
      this.used += part.length;
      from += part.length;
    }
    if (this.sent < maxBlocks) return undefined;
    return this.answer((waiting) => (this.room = waiting));
  }

  async end(): Promise<TransferResult> {
    const { bytes } = this;
    if (!this.line) {
      return { bytes, sha256: createHash('sha256').update(this.block.subarray(0, this.used)).digest('hex') };
    }
    this.send(this.line);
    this.line.postMessage({}, []);
    return { bytes, sha256: await this.answer((waiting) => (this.result = waiting)) };
  }

  /** Must be called after a failed transfer too: an open port keeps the process alive. */
  close(): void {
    this.line?.close();
  }

  /** Sends the full block and begins another. */
  private turn(): void {
    if (this.used > 0) this.send((this.line ??= this.open()));
    this.block = Buffer.from(this.free.pop() ?? new ArrayBuffer(blockBytes));
    this.used = 0;
  }

  private send(line: MessagePort): void {
    const block = this.block.buffer;
    line.postMessage({ block, length: this.used }, [block]);
    this.sent += 1;
  }

  private open(): MessagePort {
    return openLine()
      .on('message', (answer: Answer) => this.hear(answer))
      .on('close', () => this.lose());
  }

  private answer(keep: (waiting: Waiting) => void): Promise<string> {
    if (this.isClosed) return Promise.reject(lost());
    return new Promise((resolve, reject) => keep({ resolve, reject }));
  }

  private hear(answer: Answer): void {
    if ('sha256' in answer) return this.result?.resolve(answer.sha256);
    this.sent -= 1;
    this.free.push(answer.block);
    return this.room?.resolve('');
  }

  private lose(): void {
    this.isClosed = true;
    this.room?.reject(lost());
    this.result?.reject(lost());
  }
}

const lost = () => new Error('the thread that hashes has ended');
