/** Buffers the last typed bytes by their offset, to send again those that the shell did not receive. */
export class InputBuffer {
  private readonly chunks: Uint8Array[] = [];
  private bufferedBytes = 0;

  /** `position` counts the bytes that were typed since the shell started. */
  constructor(
    private readonly max: number,
    private position = 0,
  ) {}

  get end(): number {
    return this.position;
  }

  private get start(): number {
    return this.position - this.bufferedBytes;
  }

  /** Bytes after the offset `sent` were not sent yet, and are kept beyond the limit. */
  push(bytes: Uint8Array, sent = Infinity): void {
    if (bytes.length === 0) return;
    this.chunks.push(bytes);
    this.bufferedBytes += bytes.length;
    this.position += bytes.length;
    for (let first = this.chunks[0]; first && this.chunks.length > 1; first = this.chunks[0]) {
      if (this.bufferedBytes <= this.max || this.start + first.length > sent) return;
      this.shift();
    }
  }

  /** Shifts the buffer behind the input that the shell had received before this link knew its count. */
  moveTo(received: number): void {
    this.position = received + this.bufferedBytes;
  }

  /** Discards the input before the offset `received`, which the shell received. Returns how many bytes after it are missing. */
  discard(received: number): number {
    if (received >= this.position) {
      this.chunks.length = 0;
      this.bufferedBytes = 0;
      this.position = received;
      return 0;
    }
    for (let first = this.chunks[0]; first && this.start + first.length <= received; first = this.chunks[0])
      this.shift();
    return Math.max(0, this.start - received);
  }

  /** At most `length` bytes from an offset; none if they were discarded. */
  read(from: number, length: number): Uint8Array {
    let offset = this.start;
    for (const chunk of from < offset ? [] : this.chunks) {
      if (from < offset + chunk.length) return chunk.subarray(from - offset, from - offset + length);
      offset += chunk.length;
    }
    return new Uint8Array(0);
  }

  private shift(): void {
    this.bufferedBytes -= this.chunks.shift()?.length ?? 0;
  }
}
