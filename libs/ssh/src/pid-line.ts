const max = 65_536;
const pattern = /(?:^|\n)(vigie-pid:(\d{1,10})\n)/;

/** Begins a command and prints its process group, in any shell. */
export const reportPid = 'echo "vigie-pid:$$" >&2';

/**
 * Removes the line of `reportPid` from standard error. sshd forwards no signals in sessions of root, so another command
 * has to kill the process group there.
 */
export class PidLine {
  pid: number | undefined;
  private held = Buffer.alloc(0);
  private isOver = false;

  constructor(private readonly take: (bytes: Buffer) => void) {}

  add(bytes: Buffer): void {
    if (this.isOver) return this.take(bytes);
    this.held = Buffer.concat([this.held, bytes]);
    const found = pattern.exec(this.held.toString('latin1'));
    if (found) {
      const [, line = '', digits] = found;
      const start = this.held.indexOf(line);
      this.pid = Number(digits);
      return this.end(Buffer.concat([this.held.subarray(0, start), this.held.subarray(start + line.length)]));
    }
    return this.held.length > max ? this.end(this.held) : undefined;
  }

  /** Stops searching for the line and passes the rest on. */
  end(rest: Buffer = this.held): void {
    if (this.isOver) return;
    this.isOver = true;
    this.held = Buffer.alloc(0);
    if (rest.length > 0) this.take(rest);
  }
}
