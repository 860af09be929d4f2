/**
 * How much may be under way at once, and for one person: half of what the others leave at most, so that whoever keeps a
 * hundred hanging hosts busy never has the last place.
 */
export class FairSlots {
  private readonly taken = new Map<string, number>();
  private total = 0;

  constructor(private readonly max: number) {}

  /** What gives the place back; undefined when there is none. */
  take(person: string): (() => void) | undefined {
    const own = this.taken.get(person) ?? 0;
    const others = this.total - own;
    if (own + 1 > (this.max - others) / 2) return undefined;
    this.taken.set(person, own + 1);
    this.total += 1;
    return () => this.leave(person);
  }

  private leave(person: string): void {
    const own = this.taken.get(person) ?? 0;
    this.total -= 1;
    if (own > 1) this.taken.set(person, own - 1);
    else this.taken.delete(person);
  }
}
