/** The last bytes that were typed, each with its place in the whole: what the shell did not take is sent again. */
export class Outbox {
  private readonly chunks: Uint8Array[] = [];
  private kept = 0;

  /** `end`: how many bytes were typed since the shell began. */
  constructor(
    private readonly max: number,
    private position = 0,
  ) {}

  get end(): number {
    return this.position;
  }

  private get start(): number {
    return this.position - this.kept;
  }

  /** `sent`: what comes after it left nowhere, and is kept whatever it takes. */
  push(bytes: Uint8Array, sent = Infinity): void {
    if (bytes.length === 0) return;
    this.chunks.push(bytes);
    this.kept += bytes.length;
    this.position += bytes.length;
    for (let first = this.chunks[0]; first && this.chunks.length > 1; first = this.chunks[0]) {
      if (this.kept <= this.max || this.start + first.length > sent) return;
      this.shift();
    }
  }

  /** What was typed before anybody knew how much the shell had taken comes after that. */
  moveTo(taken: number): void {
    this.position = taken + this.kept;
  }

  /** The shell has taken all before `taken`. Answers how many bytes after it are kept no more. */
  forget(taken: number): number {
    if (taken >= this.position) {
      this.chunks.length = 0;
      this.kept = 0;
      this.position = taken;
      return 0;
    }
    for (let first = this.chunks[0]; first && this.start + first.length <= taken; first = this.chunks[0]) this.shift();
    return Math.max(0, this.start - taken);
  }

  /** At most `length` bytes from a place on; none where they are kept no more. */
  read(from: number, length: number): Uint8Array {
    let at = this.start;
    for (const chunk of from < at ? [] : this.chunks) {
      if (from < at + chunk.length) return chunk.subarray(from - at, from - at + length);
      at += chunk.length;
    }
    return new Uint8Array(0);
  }

  private shift(): void {
    this.kept -= this.chunks.shift()?.length ?? 0;
  }
}
