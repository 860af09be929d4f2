import type { Connection } from './connection';

/** An open connection and how many commands it carries. */
export class Line {
  inUse = 0;
  isRetired = false;
  private idle: NodeJS.Timeout | undefined;

  constructor(
    readonly connection: Connection,
    private readonly limits: { idleMs: number; ageMs: number },
  ) {}

  get isFresh(): boolean {
    const { isOpen, isStuck, openedAt } = this.connection;
    return !this.isRetired && isOpen && !isStuck && performance.now() - openedAt < this.limits.ageMs;
  }

  /** A command that was given up may take a while to end. */
  get load(): number {
    return Math.max(this.inUse, this.connection.commands);
  }

  take(): void {
    this.inUse += 1;
    clearTimeout(this.idle);
  }

  giveBack(): void {
    this.inUse -= 1;
    this.rest();
  }

  /** Waits for the next use, but not for ever. */
  rest(): void {
    if (!this.isIdle) return;
    clearTimeout(this.idle);
    if (this.isFresh) this.idle = setTimeout(() => void this.connection.close(), this.limits.idleMs).unref();
    else void this.connection.close();
  }

  get isIdle(): boolean {
    return this.inUse === 0;
  }

  /** Nothing more is begun on it. */
  retire(): void {
    if (this.isRetired) return;
    this.isRetired = true;
    if (this.isIdle) void this.close();
  }

  async close(): Promise<void> {
    this.isRetired = true;
    clearTimeout(this.idle);
    await this.connection.close();
  }
}
