import type { Source } from '@vigie/wpress/source';

type ReadRange = (offset: number, length: number) => Promise<Buffer>;

/** How many bytes may arrive ahead of the reader, and how many are kept behind it. */
const maxAhead = 4 * 1_048_576;
const bytesBehind = 2 * 1_048_576;

/** A file that streams in, for a reader that goes through it; ranges outside the buffer are read separately. */
export class RemoteSource implements Source {
  /** Bytes that have arrived so far. */
  received = 0;
  private base = 0;
  private parts: Buffer[] = [];
  private readUpTo = 0;
  private wake: () => void = () => undefined;
  private goOn: () => void = () => undefined;

  constructor(
    readonly size: number,
    private readonly readRange: ReadRange,
    private readonly signal: AbortSignal,
  ) {
    signal.addEventListener('abort', () => this.wake(), { once: true });
  }

  /** The stream pauses while the returned promise is pending. */
  take(bytes: Buffer): Promise<void> | undefined {
    this.parts.push(bytes);
    this.received += bytes.length;
    this.wake();
    if (this.received - this.readUpTo < maxAhead) return undefined;
    return new Promise((resolve) => (this.goOn = resolve));
  }

  async read(offset: number, length: number): Promise<Buffer> {
    const end = offset + length;
    if (end > this.size) throw new RangeError('beyond the end of the file');
    if (offset < this.base || offset > Math.max(this.received, this.readUpTo) + maxAhead)
      return this.readRange(offset, length);
    this.readUpTo = Math.max(this.readUpTo, end);
    this.goOn();
    while (this.received < end) await this.waitForBytes();
    this.forget(offset - bytesBehind);
    return this.between(offset, end);
  }

  private async waitForBytes(): Promise<void> {
    this.signal.throwIfAborted();
    await new Promise<void>((resolve) => (this.wake = resolve));
    this.signal.throwIfAborted();
  }

  private forget(upTo: number): void {
    let count = 0;
    for (const part of this.parts) {
      if (this.base + part.length > upTo) break;
      this.base += part.length;
      count += 1;
    }
    this.parts.splice(0, count);
  }

  private between(from: number, end: number): Buffer {
    const slices: Buffer[] = [];
    let at = this.base;
    for (const part of this.parts) {
      if (at >= end) break;
      if (at + part.length > from) slices.push(part.subarray(Math.max(0, from - at), end - at));
      at += part.length;
    }
    const [only] = slices;
    return slices.length === 1 && only ? only : Buffer.concat(slices);
  }
}
