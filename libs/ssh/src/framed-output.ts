import { randomBytes } from 'node:crypto';
import { Capture } from './capture';
import { SshFailure } from './failure';
import { type Holder, Room } from './room';

/** Noise kept from before the marker, to quote what the host printed instead of the output. */
const keptNoise = 2_000;
/** Shared by all running scripts: memory would not suffice if every host sent the longest answer. */
const outputs = new Room(256 * 1_048_576);

/** Drops everything before a line with a random word, because login shells print noise first. */
export class Opening {
  readonly word = randomBytes(16).toString('hex');
  private readonly before = new Capture(keptNoise, 'first');
  private readonly line = Buffer.from(`\n${this.word}\n`);
  private held = Buffer.from('\n');
  wasReached = false;

  /** Returns the part of these bytes that follows the marker line. */
  after(bytes: Buffer): Buffer {
    if (this.wasReached) return bytes;
    const all = Buffer.concat([this.held, bytes]);
    const place = all.indexOf(this.line);
    this.before.add(bytes);
    this.wasReached = place >= 0;
    this.held = Buffer.from(all.subarray(-this.line.length));
    return this.wasReached ? all.subarray(place + this.line.length) : Buffer.alloc(0);
  }

  /** The text that the host printed before the marker. */
  get noise(): string {
    return this.before.bytes.toString();
  }
}

/**
 * Extracts a script's own output from everything that a host prints. A line with a random word precedes the output, and
 * a line with the word and the exit code follows it; the rest is noise of the login.
 */
export class FramedOutput implements Holder {
  readonly opening = new Opening();
  private inside: Capture;
  /** Bytes received when this output lost its memory to others. */
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

  /** Frees the memory for other outputs and keeps nothing from now on. */
  giveWay(): void {
    this.gaveWay = this.inside.total;
    this.inside = new Capture(0, 'first');
  }

  close(): void {
    this.room.hold(this, 0);
  }

  /** The output, and its exit code once the closing line has arrived. */
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
