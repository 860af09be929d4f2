/** Reads lines that a program numbers, as they come in pieces. The first may stand behind a prompt, and is not seen then. */
export class Lines {
  count = 0;
  /** How often a line did not follow the one before it. */
  gaps = 0;
  private rest = '';
  private last = 0;

  take(bytes: Buffer): void {
    const parts = `${this.rest}${bytes.toString('latin1')}`.split('\n');
    this.rest = parts.pop() ?? '';
    for (const part of parts) {
      const [, number] = /^ligne (\d+) /.exec(part) ?? [];
      if (number === undefined) continue;
      if (this.count > 0 && Number(number) !== this.last + 1) this.gaps += 1;
      this.last = Number(number);
      this.count += 1;
    }
  }
}
