export type BudgetUser = { discard: () => void };

/**
 * Limits the memory for the output of all hosts together. When it is full, the largest output is discarded, so that a
 * few hosts that print without end take nothing from the others.
 */
export class MemoryBudget {
  private readonly sizes = new Map<BudgetUser, number>();
  private used = 0;

  constructor(private readonly limit: number) {}

  reserve(user: BudgetUser, size: number): void {
    this.used += size - (this.sizes.get(user) ?? 0);
    if (size > 0) this.sizes.set(user, size);
    else this.sizes.delete(user);
    while (this.used > this.limit) this.discardLargest();
  }

  private discardLargest(): void {
    const [[largest] = []] = [...this.sizes].toSorted(([, one], [, other]) => other - one);
    if (!largest) return;
    this.reserve(largest, 0);
    largest.discard();
  }
}
