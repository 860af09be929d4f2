/** Fewer in a row may be one long turn, or a few who came at once. */
const minTurns = 32;

/**
 * Knows for how long somebody has been waiting to be let in. Node accepts one connection in each turn of its loop, so
 * that a turn in which none came is one in which none was waiting.
 */
export class Arrivals {
  private since = 0;
  /** In a row, in which somebody came. */
  private turns = 0;
  private hasCome = false;

  /** A connection was accepted. */
  come(): void {
    this.hasCome = true;
    if (this.turns > 0) return;
    this.turns = 1;
    this.since = performance.now();
    setImmediate(() => this.endTurn());
  }

  get waitingMs(): number {
    return this.turns < minTurns ? 0 : performance.now() - this.since;
  }

  private endTurn(): void {
    this.turns = this.hasCome ? this.turns + 1 : 0;
    this.hasCome = false;
    if (this.turns > 0) setImmediate(() => this.endTurn());
  }
}
