/** Whatever was open to a host that nobody used for so long is closed. */
const defaultMs = 3_600_000;

type Known = { version: number; key: string; usedAt: number };

/** The keys under which connections to rows are kept: that of the newest version which was used. */
export class PoolKeys {
  private readonly known = new Map<string, Known>();

  constructor(private readonly ms = defaultMs) {}

  /** The key of a version, and the one that it replaces. */
  use(id: string, version: number): { key: string; outdated: string | undefined } {
    const key = `${id}@${version}`;
    const usedAt = performance.now();
    const last = this.known.get(id);
    const isNewest = !last || last.version <= version;
    // Last in the order in which they are forgotten.
    this.known.delete(id);
    this.known.set(id, isNewest ? { version, key, usedAt } : { ...last, usedAt });
    this.forgetUntil(usedAt - this.ms);
    return { key, outdated: last && last.version < version ? last.key : undefined };
  }

  find(id: string): string | undefined {
    return this.known.get(id)?.key;
  }

  forget(id: string): string | undefined {
    const key = this.find(id);
    this.known.delete(id);
    return key;
  }

  get size(): number {
    return this.known.size;
  }

  private forgetUntil(time: number): void {
    for (const [id, { usedAt }] of this.known) {
      if (usedAt > time) return;
      this.known.delete(id);
    }
  }
}
