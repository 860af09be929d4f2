/** Admits a limited number of holders at once; the others wait in order of arrival. */
export class Gate {
  private held = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly limit: number) {}

  /** Resolves with the function that releases the place; rejects with the signal's reason when it aborts first. */
  async enter(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.held >= this.limit) await this.turn(signal);
    else this.held += 1;
    let isIn = true;
    return () => {
      if (isIn) this.leave();
      isIn = false;
    };
  }

  /** Passes the place directly to the next in line. */
  private leave(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.held -= 1;
  }

  private turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        this.waiting.splice(this.waiting.indexOf(enter), 1);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.waiting.push(enter);
    });
  }
}

/** One semaphore per name, dropped when nobody holds or awaits it. */
export class Gates {
  private readonly gates = new Map<string, { gate: Gate; users: number }>();

  constructor(private readonly limit: number) {}

  async enter(name: string, signal: AbortSignal): Promise<() => void> {
    const one = this.gates.get(name) ?? { gate: new Gate(this.limit), users: 0 };
    this.gates.set(name, one);
    one.users += 1;
    try {
      const leave = await one.gate.enter(signal);
      let isIn = true;
      return () => {
        if (!isIn) return;
        isIn = false;
        leave();
        this.quit(name, one);
      };
    } catch (error) {
      this.quit(name, one);
      throw error;
    }
  }

  private quit(name: string, one: { users: number }): void {
    one.users -= 1;
    if (one.users === 0) this.gates.delete(name);
  }

  /** Number of names in use. */
  get size(): number {
    return this.gates.size;
  }
}
