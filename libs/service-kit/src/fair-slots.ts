/**
 * Limits the work that runs at once, in total and per person. A person gets at most half of what the others leave, so
 * that a hundred hanging hosts of one person never block everybody.
 */
export class FairSlots {
  private readonly slotsOf = new Map<string, number>();
  private total = 0;

  constructor(private readonly max: number) {}

  /** Returns the function that releases the slot, or undefined when none is free. */
  acquire(person: string): (() => void) | undefined {
    const own = this.slotsOf.get(person) ?? 0;
    const others = this.total - own;
    if (own + 1 > (this.max - others) / 2) return undefined;
    this.slotsOf.set(person, own + 1);
    this.total += 1;
    return () => this.release(person);
  }

  private release(person: string): void {
    const own = this.slotsOf.get(person) ?? 0;
    this.total -= 1;
    if (own > 1) this.slotsOf.set(person, own - 1);
    else this.slotsOf.delete(person);
  }
}
