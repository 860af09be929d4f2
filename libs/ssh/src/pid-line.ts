const maxNoiseBytes = 65_536;
const pattern = /(?:^|\n)(vigie-pid:(\d{1,10})\n)/;

/** Begins a command and prints its process group, in any shell. */
export const reportPid = 'echo "vigie-pid:$$" >&2';

/**
 * Removes the line of `reportPid` from standard error. sshd forwards no signals in sessions of root, so another command
 * has to kill the process group there.
 */
export class PidLine {
  pid: number | undefined;
  private buffered = Buffer.alloc(0);
  private isDone = false;

  constructor(private readonly passOn: (bytes: Buffer) => void) {}

  add(bytes: Buffer): void {
    if (this.isDone) return this.passOn(bytes);
    this.buffered = Buffer.concat([this.buffered, bytes]);
    const match = pattern.exec(this.buffered.toString('latin1'));
    if (match) {
      const [, line = '', digits] = match;
      const start = this.buffered.indexOf(line);
      this.pid = Number(digits);
      return this.end(Buffer.concat([this.buffered.subarray(0, start), this.buffered.subarray(start + line.length)]));
    }
    return this.buffered.length > maxNoiseBytes ? this.end(this.buffered) : undefined;
  }

  /** Stops searching for the line and passes the rest on. */
  end(rest: Buffer = this.buffered): void {
    if (this.isDone) return;
    this.isDone = true;
    this.buffered = Buffer.alloc(0);
    if (rest.length > 0) this.passOn(rest);
  }
}
