import { randomBytes } from 'node:crypto';
import { Capture } from './capture';

/** What is kept of noise before the fence, to say what the host printed instead. */
const keptNoise = 2_000;

/**
 * Takes a script's own output out of all that a host prints. Lines with a random word enclose it: the word alone before
 * it, the word and the exit code after it. Whatever comes before and after is noise of the login.
 */
export class Fence {
  readonly word = randomBytes(16).toString('hex');
  private readonly before = new Capture(keptNoise, 'first');
  private readonly inside: Capture;
  private readonly opening = Buffer.from(`\n${this.word}\n`);
  private held = Buffer.from('\n');
  private isOpen = false;

  constructor(private readonly limit: number) {
    this.inside = new Capture(limit + this.closing('').length + 8, 'first');
  }

  add(bytes: Buffer): void {
    if (this.isOpen) {
      this.inside.add(bytes);
      return;
    }
    const all = Buffer.concat([this.held, bytes]);
    const place = all.indexOf(this.opening);
    this.before.add(bytes);
    this.isOpen = place >= 0;
    if (this.isOpen) this.inside.add(all.subarray(place + this.opening.length));
    else this.held = Buffer.from(all.subarray(-this.opening.length));
  }

  /** Whether the script itself began. */
  get wasReached(): boolean {
    return this.isOpen;
  }

  /** What the host printed instead of the fence. */
  get noise(): string {
    return this.before.bytes.toString();
  }

  /** The output, and the exit code when all of it is here. */
  get content(): { bytes: Buffer; dropped: number; code: number | null } {
    const { bytes, total } = this.inside;
    const end = bytes.lastIndexOf(this.closing(''));
    const code =
      end < 0 ? undefined : /^(\d{1,3})\n/.exec(bytes.toString('latin1', end + this.closing('').length))?.[1];
    if (code !== undefined)
      return { bytes: bytes.subarray(0, Math.min(end, this.limit)), dropped: 0, code: Number(code) };
    const kept = bytes.subarray(0, this.limit);
    return { bytes: kept, dropped: total - kept.length, code: null };
  }

  private closing(code: string): string {
    return `\n${this.word} ${code}`;
  }
}
