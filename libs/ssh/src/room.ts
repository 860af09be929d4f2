export type Holder = { giveWay: () => void };

/**
 * Limits the memory for the output of all hosts together. When it is full, the largest output is discarded, so that a
 * few hosts that print without end take nothing from the others.
 */
export class Room {
  private readonly sizes = new Map<Holder, number>();
  private used = 0;

  constructor(private readonly limit: number) {}

  hold(holder: Holder, size: number): void {
    this.used += size - (this.sizes.get(holder) ?? 0);
    if (size > 0) this.sizes.set(holder, size);
    else this.sizes.delete(holder);
    while (this.used > this.limit) this.makeRoom();
  }

  private makeRoom(): void {
    const [[largest] = []] = [...this.sizes].toSorted(([, one], [, other]) => other - one);
    if (!largest) return;
    this.hold(largest, 0);
    largest.giveWay();
  }
}
