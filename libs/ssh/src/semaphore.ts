/** Admits a limited number of holders at once; the others wait in order of arrival. */
export class Semaphore {
  private acquired = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly limit: number) {}

  /** Resolves with the function that releases the place; rejects with the signal's reason when it aborts first. */
  async acquire(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.acquired >= this.limit) await this.waitForPlace(signal);
    else this.acquired += 1;
    let isHeld = true;
    return () => {
      if (isHeld) this.release();
      isHeld = false;
    };
  }

  /** Passes the place directly to the next in line. */
  private release(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.acquired -= 1;
  }

  private waitForPlace(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const admit = () => {
        signal.removeEventListener('abort', release);
        resolve();
      };
      const release = () => {
        this.waiting.splice(this.waiting.indexOf(admit), 1);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', release, { once: true });
      this.waiting.push(admit);
    });
  }
}

/** One semaphore per name, dropped when nobody holds or awaits it. */
export class KeyedSemaphores {
  private readonly entries = new Map<string, { semaphore: Semaphore; users: number }>();

  constructor(private readonly limit: number) {}

  async acquire(name: string, signal: AbortSignal): Promise<() => void> {
    const entry = this.entries.get(name) ?? { semaphore: new Semaphore(this.limit), users: 0 };
    this.entries.set(name, entry);
    entry.users += 1;
    try {
      const release = await entry.semaphore.acquire(signal);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        release();
        this.dropUser(name, entry);
      };
    } catch (error) {
      this.dropUser(name, entry);
      throw error;
    }
  }

  private dropUser(name: string, entry: { users: number }): void {
    entry.users -= 1;
    if (entry.users === 0) this.entries.delete(name);
  }

  get size(): number {
    return this.entries.size;
  }
}
