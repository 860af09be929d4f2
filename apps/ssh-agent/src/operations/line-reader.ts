const newline = 0x0a;
/** Our programs write 60,000 bytes at most; a longer line comes from something else, and is skipped. */
const maxLineBytes = 262_144;

/** Splits a progress file into lines, each with the offset of its end, and knows the offset to read on from. */
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
      if (!this.isTooLong && end - from <= maxLineBytes) this.onLine(all.toString('utf8', from, end), start + end + 1);
      this.isTooLong = false;
      from = end + 1;
    }
    this.isTooLong ||= all.length - from > maxLineBytes;
    // A slice would keep the whole buffer in memory.
    this.rest = Buffer.from(this.isTooLong ? [] : all.subarray(from));
  }
}
