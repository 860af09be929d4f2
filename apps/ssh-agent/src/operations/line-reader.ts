const newline = 0x0a;

/** Makes lines of the bytes of a progress file, each once with the place of its end, and knows where to go on from. */
export class LineReader {
  offset = 0;
  private rest: Buffer = Buffer.alloc(0);

  constructor(private readonly onLine: (line: string, end: number) => void) {}

  read(bytes: Buffer): void {
    const start = this.offset - this.rest.length;
    this.offset += bytes.length;
    const all = Buffer.concat([this.rest, bytes]);
    let from = 0;
    for (let end = all.indexOf(newline); end >= 0; end = all.indexOf(newline, from)) {
      this.onLine(all.toString('utf8', from, end), start + end + 1);
      from = end + 1;
    }
    this.rest = all.subarray(from);
  }
}
