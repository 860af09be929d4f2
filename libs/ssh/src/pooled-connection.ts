import type { Connection } from './connection';

/** An open connection of the pool with its number of users. */
export class PooledConnection {
  inUse = 0;
  isRetired = false;
  private closeTimer: NodeJS.Timeout | undefined;

  constructor(
    readonly connection: Connection,
    private readonly limits: { idleMs: number; ageMs: number },
  ) {}

  get isFresh(): boolean {
    const { isOpen, isStuck, openedAt } = this.connection;
    return !this.isRetired && isOpen && !isStuck && performance.now() - openedAt < this.limits.ageMs;
  }

  /** Includes commands that were given up and have not ended yet. */
  get load(): number {
    return Math.max(this.inUse, this.connection.commands);
  }

  acquire(): void {
    this.inUse += 1;
    clearTimeout(this.closeTimer);
  }

  release(): void {
    this.inUse -= 1;
    this.scheduleClose();
  }

  /** Closes an unused connection after the idle time, or at once when it is not fresh. */
  scheduleClose(): void {
    if (!this.isIdle) return;
    clearTimeout(this.closeTimer);
    if (this.isFresh) this.closeTimer = setTimeout(() => void this.connection.close(), this.limits.idleMs).unref();
    else void this.connection.close();
  }

  get isIdle(): boolean {
    return this.inUse === 0;
  }

  /** Accepts no further command and closes when the last one ends. */
  retire(): void {
    if (this.isRetired) return;
    this.isRetired = true;
    if (this.isIdle) void this.close();
  }

  async close(): Promise<void> {
    this.isRetired = true;
    clearTimeout(this.closeTimer);
    await this.connection.close();
  }
}
