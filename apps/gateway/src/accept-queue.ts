/** Fewer busy turns in a row may be one long turn, or a few connections that came at once. */
const minBusyTurns = 32;

/**
 * Estimates how long connections have been waiting to be accepted. Node accepts one in each turn of its event loop, so
 * none is waiting in a turn that accepts none.
 */
export class AcceptQueue {
  private busySince = 0;
  /** Turns in a row that accepted a connection. */
  private busyTurns = 0;
  private hasAccepted = false;

  noteAccepted(): void {
    this.hasAccepted = true;
    if (this.busyTurns > 0) return;
    this.busyTurns = 1;
    this.busySince = performance.now();
    setImmediate(() => this.endTurn());
  }

  get waitingMs(): number {
    return this.busyTurns < minBusyTurns ? 0 : performance.now() - this.busySince;
  }

  private endTurn(): void {
    this.busyTurns = this.hasAccepted ? this.busyTurns + 1 : 0;
    this.hasAccepted = false;
    if (this.busyTurns > 0) setImmediate(() => this.endTurn());
  }
}
