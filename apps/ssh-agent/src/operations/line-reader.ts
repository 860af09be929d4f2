const newline = 0x0a;
/** A program of ours says 60,000 at most: what is longer is somebody else's, and is not kept until it ends. */
const longest = 262_144;

/** Makes lines of the bytes of a progress file, each once with the place of its end, and knows where to go on from. */
export class LineReader {
  offset = 0;
  private rest: Buffer = Buffer.alloc(0);
  private isTooLong = false;

  constructor(private readonly onLine: (line: string, end: number) => void) {}

  read(bytes: Buffer): void {
    const start = this.offset - this.rest.length;
    this.offset += bytes.length;
    const all = Buffer.concat([this.rest, bytes]);
    let from = 0;
    for (let end = all.indexOf(newline); end >= 0; end = all.indexOf(newline, from)) {
      if (!this.isTooLong && end - from <= longest) this.onLine(all.toString('utf8', from, end), start + end + 1);
      this.isTooLong = false;
      from = end + 1;
    }
    this.isTooLong ||= all.length - from > longest;
    // A slice would hold all of it.
    this.rest = Buffer.from(this.isTooLong ? [] : all.subarray(from));
  }
}
