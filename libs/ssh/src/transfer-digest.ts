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
function openHashPort(): MessagePort {
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
type PendingReply = { resolve: (sha256: string) => void; reject: (error: Error) => void };

/**
 * Counts and hashes bytes in their order, in another thread: SHA-256 costs as much as the rest of a transfer, and the
 * main thread serves everybody. Content that fits into one block is hashed in place.
 */
export class TransferDigest {
  private bytes = 0;
  private block = Buffer.alloc(0);
  private used = 0;
  private inFlight = 0;
  private readonly free: ArrayBuffer[] = [];
  private port: MessagePort | undefined;
  private isClosed = false;
  private blockFree: PendingReply | undefined;
  private result: PendingReply | undefined;

  /** Copies the bytes. The caller awaits the returned promise, if any, before it adds more. */
  add(bytes: Uint8Array): Promise<unknown> | undefined {
    this.bytes += bytes.length;
    for (let from = 0; from < bytes.length; ) {
      if (this.used === this.block.length) this.nextBlock();
      const part = bytes.subarray(from, from + this.block.length - this.used);
      this.block.set(part, this.used);
      this.used += part.length;
      from += part.length;
    }
    if (this.inFlight < maxBlocks) return undefined;
    return this.waitForReply((pendingReply) => (this.blockFree = pendingReply));
  }

  async end(): Promise<TransferResult> {
    const { bytes } = this;
    if (!this.port) {
      return { bytes, sha256: createHash('sha256').update(this.block.subarray(0, this.used)).digest('hex') };
    }
    this.send(this.port);
    this.port.postMessage({}, []);
    return { bytes, sha256: await this.waitForReply((pendingReply) => (this.result = pendingReply)) };
  }

  /** Must be called after a failed transfer too: an open port keeps the process alive. */
  close(): void {
    this.port?.close();
  }

  private nextBlock(): void {
    if (this.used > 0) this.send((this.port ??= this.open()));
    this.block = Buffer.from(this.free.pop() ?? new ArrayBuffer(blockBytes));
    this.used = 0;
  }

  private send(port: MessagePort): void {
    const block = this.block.buffer;
    port.postMessage({ block, length: this.used }, [block]);
    this.inFlight += 1;
  }

  private open(): MessagePort {
    return openHashPort()
      .on('message', (answer: Answer) => this.receive(answer))
      .on('close', () => this.failPending());
  }

  private waitForReply(register: (pendingReply: PendingReply) => void): Promise<string> {
    if (this.isClosed) return Promise.reject(threadEnded());
    return new Promise((resolve, reject) => register({ resolve, reject }));
  }

  private receive(answer: Answer): void {
    if ('sha256' in answer) return this.result?.resolve(answer.sha256);
    this.inFlight -= 1;
    this.free.push(answer.block);
    return this.blockFree?.resolve('');
  }

  private failPending(): void {
    this.isClosed = true;
    this.blockFree?.reject(threadEnded());
    this.result?.reject(threadEnded());
  }
}

const threadEnded = () => new Error('the thread that hashes has ended');
