import { randomBytes } from 'node:crypto';
import { Capture } from './capture';
import { SshFailure } from './failure';
import { type BudgetUser, MemoryBudget } from './memory-budget';

/** Noise kept from before the marker, to quote what the host printed instead of the output. */
const maxNoiseBytes = 2_000;
/** Shared by all running scripts: memory would not suffice if every host sent the longest answer. */
const sharedBudget = new MemoryBudget(256 * 1_048_576);

/** Drops everything before a line with a random word, because login shells print noise first. */
export class StartMarker {
  readonly word = randomBytes(16).toString('hex');
  private readonly before = new Capture(maxNoiseBytes, 'first');
  private readonly line = Buffer.from(`\n${this.word}\n`);
  private pending = Buffer.from('\n');
  wasReached = false;

  /** Returns the part of these bytes that follows the marker line. */
  after(bytes: Buffer): Buffer {
    if (this.wasReached) return bytes;
    const all = Buffer.concat([this.pending, bytes]);
    const index = all.indexOf(this.line);
    this.before.add(bytes);
    this.wasReached = index >= 0;
    this.pending = Buffer.from(all.subarray(-this.line.length));
    return this.wasReached ? all.subarray(index + this.line.length) : Buffer.alloc(0);
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
export class FramedOutput implements BudgetUser {
  readonly marker = new StartMarker();
  private captured: Capture;
  /** Bytes received when this output lost its memory to others. */
  private discardedAt: number | undefined;

  constructor(
    private readonly limit: number,
    private readonly budget = sharedBudget,
  ) {
    this.captured = new Capture(limit + this.closing('').length + 8, 'first');
  }

  add(bytes: Buffer): void {
    this.captured.add(this.marker.after(bytes));
    if (this.discardedAt === undefined) this.budget.reserve(this, this.captured.size);
    this.requireNotDiscarded();
  }

  /** Frees the memory for other outputs and keeps nothing from now on. */
  discard(): void {
    this.discardedAt = this.captured.total;
    this.captured = new Capture(0, 'first');
  }

  close(): void {
    this.budget.reserve(this, 0);
  }

  /** The output, and its exit code once the closing line has arrived. */
  get content(): { bytes: Buffer; dropped: number; code: number | null } {
    this.requireNotDiscarded();
    const { bytes, total } = this.captured;
    const end = bytes.lastIndexOf(this.closing(''));
    const code =
      end < 0 ? undefined : /^(\d{1,3})\n/.exec(bytes.toString('latin1', end + this.closing('').length))?.[1];
    if (code !== undefined)
      return { bytes: bytes.subarray(0, Math.min(end, this.limit)), dropped: 0, code: Number(code) };
    const beginning = bytes.subarray(0, this.limit);
    return { bytes: beginning, dropped: total - beginning.length, code: null };
  }

  private requireNotDiscarded(): void {
    if (this.discardedAt === undefined) return;
    throw new SshFailure({ kind: 'output-too-large', bytes: this.discardedAt }, 'unknown');
  }

  private closing(code: string): string {
    return `\n${this.marker.word} ${code}`;
  }
}
