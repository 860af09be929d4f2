const minBytes = 4_096;

/** The last bytes of a stream, addressed by their offset in it. The buffer grows with what it keeps, up to `max`. */
export class OutputRing {
  private bytes = Buffer.alloc(0);
  private keptBytes = 0;
  /** How many bytes have been written in total. */
  end = 0;

  constructor(private readonly max: number) {}

  /** The offset of the oldest byte that is kept. */
  get start(): number {
    return this.end - this.keptBytes;
  }

  write(chunk: Uint8Array): void {
    const tail = chunk.subarray(Math.max(0, chunk.length - this.max));
    this.end += chunk.length - tail.length;
    this.grow(Math.min(this.max, this.keptBytes + tail.length));
    const at = this.end % this.bytes.length || 0;
    const first = tail.subarray(0, this.bytes.length - at);
    this.bytes.set(first, at);
    this.bytes.set(tail.subarray(first.length), 0);
    this.end += tail.length;
    this.keptBytes = Math.min(this.bytes.length, this.keptBytes + chunk.length);
  }

  /** A copy of at most `length` bytes from this offset, which must be kept. */
  read(from: number, length: number): Buffer {
    const count = Math.min(length, this.end - from);
    const at = from % this.bytes.length || 0;
    const first = this.bytes.subarray(at, Math.min(this.bytes.length, at + count));
    return Buffer.concat([first, this.bytes.subarray(0, count - first.length)]);
  }

  private grow(needed: number): void {
    if (needed <= this.bytes.length) return;
    const keptCopy = this.read(this.start, this.keptBytes);
    let size = Math.max(minBytes, this.bytes.length);
    while (size < needed) size *= 2;
    this.bytes = Buffer.alloc(Math.min(size, this.max));
    const start = this.end - keptCopy.length;
    for (let done = 0; done < keptCopy.length; ) {
      const at = (start + done) % this.bytes.length;
      done += keptCopy.copy(this.bytes, at, done, Math.min(keptCopy.length, done + this.bytes.length - at));
    }
  }
}
