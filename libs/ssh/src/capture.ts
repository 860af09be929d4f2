/** Keeps the first or last bytes of a stream and counts the rest. Bytes are copied: a slice would retain its packet. */
export class Capture {
  private buffer = Buffer.alloc(0);
  private used = 0;
  total = 0;

  constructor(
    private readonly limit: number,
    private readonly side: 'first' | 'last',
  ) {}

  add(bytes: Buffer): void {
    this.total += bytes.length;
    const part = this.side === 'last' ? bytes.subarray(-this.limit) : bytes.subarray(0, this.limit - this.used);
    if (part.length === 0) return;
    if (this.side === 'last' && this.used + part.length > this.buffer.length) this.slide(part.length);
    this.reserve(this.used + part.length);
    part.copy(this.buffer, this.used);
    this.used += part.length;
  }

  get bytes(): Buffer {
    return this.buffer.subarray(this.side === 'last' ? Math.max(0, this.used - this.limit) : 0, this.used);
  }

  /** Memory in use, in bytes. */
  get size(): number {
    return this.buffer.length;
  }

  /** Number of bytes that were received and not kept. */
  get dropped(): number {
    return this.total - this.bytes.length;
  }

  /** The buffer may hold twice the limit, so that old bytes are moved once in a while and not at each packet. */
  private slide(incomingBytes: number): void {
    if (this.used + incomingBytes <= this.limit * 2) return;
    const rest = this.buffer.subarray(Math.max(0, this.used - this.limit), this.used);
    this.buffer.copy(this.buffer, 0, this.used - rest.length, this.used);
    this.used = rest.length;
  }

  private reserve(size: number): void {
    if (size <= this.buffer.length) return;
    const max = this.side === 'last' ? this.limit * 2 : this.limit;
    const larger = Buffer.allocUnsafe(Math.min(Math.max(size, this.buffer.length * 2, 1_024), max));
    this.buffer.copy(larger, 0, 0, this.used);
    this.buffer = larger;
  }
}
