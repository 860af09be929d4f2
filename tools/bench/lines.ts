/** Counts numbered lines of a program. It ignores the first line when a prompt precedes it. */
export class NumberedLines {
  count = 0;
  /** Number of lines that did not follow their predecessor. */
  gaps = 0;
  private partialLine = '';
  private last = 0;

  add(bytes: Buffer): void {
    const parts = `${this.partialLine}${bytes.toString('latin1')}`.split('\n');
    this.partialLine = parts.pop() ?? '';
    for (const part of parts) {
      const [, number] = /^ligne (\d+) /.exec(part) ?? [];
      if (number === undefined) continue;
      if (this.count > 0 && Number(number) !== this.last + 1) this.gaps += 1;
      this.last = Number(number);
      this.count += 1;
    }
  }
}
