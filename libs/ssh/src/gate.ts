/** Lets a number of holders in at once, the others in the order they came. */
export class Gate {
  private held = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly limit: number) {}

  /** Resolves with what lets the next one in; rejects with the signal's reason when it is aborted before. */
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

  /** The place of whoever leaves goes to the next in line. */
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

/** A gate for each name, as long as anybody is at it. */
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

  /** How many names somebody is at. */
  get size(): number {
    return this.gates.size;
  }
}
