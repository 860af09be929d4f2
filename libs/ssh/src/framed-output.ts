import { randomBytes } from 'node:crypto';
import { Capture } from './capture';
import { SshFailure } from './failure';
import { type Holder, Room } from './room';

/** What is kept of noise before the first of the two lines, to say what the host printed instead. */
const keptNoise = 2_000;
/** Of all scripts that run at once: more hosts are asked than there is memory for the longest answers. */
const outputs = new Room(256 * 1_048_576);

/** Lets nothing through before a line that is a random word: what comes before is noise of the login. */
export class Opening {
  readonly word = randomBytes(16).toString('hex');
  private readonly before = new Capture(keptNoise, 'first');
  private readonly line = Buffer.from(`\n${this.word}\n`);
  private held = Buffer.from('\n');
  /** Whether the line came. */
  wasReached = false;

  /** What of these bytes lies behind the line. */
  after(bytes: Buffer): Buffer {
    if (this.wasReached) return bytes;
    const all = Buffer.concat([this.held, bytes]);
    const place = all.indexOf(this.line);
    this.before.add(bytes);
    this.wasReached = place >= 0;
    this.held = Buffer.from(all.subarray(-this.line.length));
    return this.wasReached ? all.subarray(place + this.line.length) : Buffer.alloc(0);
  }

  /** What the host printed instead. */
  get noise(): string {
    return this.before.bytes.toString();
  }
}

/**
 * Takes a script's own output out of all that a host prints. Lines with a random word enclose it: the word alone before
 * it, the word and the exit code after it. Whatever comes before and after is noise of the login.
 */
export class FramedOutput implements Holder {
  readonly opening = new Opening();
  private inside: Capture;
  /** How much had come when its memory was given to others; then nothing is kept. */
  private gaveWay: number | undefined;

  constructor(
    private readonly limit: number,
    private readonly room = outputs,
  ) {
    this.inside = new Capture(limit + this.closing('').length + 8, 'first');
  }

  add(bytes: Buffer): void {
    this.inside.add(this.opening.after(bytes));
    if (this.gaveWay === undefined) this.room.hold(this, this.inside.size);
    this.requireAll();
  }

  /** Others have no room for what is said meanwhile: nothing of this is kept. */
  giveWay(): void {
    this.gaveWay = this.inside.total;
    this.inside = new Capture(0, 'first');
  }

  /** Nobody listens any more. */
  close(): void {
    this.room.hold(this, 0);
  }

  /** The output, and the exit code when all of it is here. */
  get content(): { bytes: Buffer; dropped: number; code: number | null } {
    this.requireAll();
    const { bytes, total } = this.inside;
    const end = bytes.lastIndexOf(this.closing(''));
    const code =
      end < 0 ? undefined : /^(\d{1,3})\n/.exec(bytes.toString('latin1', end + this.closing('').length))?.[1];
    if (code !== undefined)
      return { bytes: bytes.subarray(0, Math.min(end, this.limit)), dropped: 0, code: Number(code) };
    const kept = bytes.subarray(0, this.limit);
    return { bytes: kept, dropped: total - kept.length, code: null };
  }

  private requireAll(): void {
    if (this.gaveWay === undefined) return;
    throw new SshFailure({ kind: 'output-too-large', bytes: this.gaveWay }, 'unknown');
  }

  private closing(code: string): string {
    return `\n${this.opening.word} ${code}`;
  }
}
