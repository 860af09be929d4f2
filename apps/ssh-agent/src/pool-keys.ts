/** Longer than a connection stays open without being used. */
const defaultIdleMs = 3_600_000;

type PoolKey = { version: number; key: string; usedAt: number };

/** The keys of pooled connections: for each row that of the newest version in use. */
export class PoolKeys {
  private readonly keys = new Map<string, PoolKey>();

  constructor(private readonly ms = defaultIdleMs) {}

  /** The key of a version, and the key that it replaces. */
  use(id: string, version: number): { key: string; outdated: string | undefined } {
    const key = `${id}@${version}`;
    const usedAt = performance.now();
    const last = this.keys.get(id);
    const isNewest = !last || last.version <= version;
    // Moves the row to the end of the order in which rows are forgotten.
    this.keys.delete(id);
    this.keys.set(id, isNewest ? { version, key, usedAt } : { ...last, usedAt });
    this.forgetUnusedSince(usedAt - this.ms);
    return { key, outdated: last && last.version < version ? last.key : undefined };
  }

  find(id: string): string | undefined {
    return this.keys.get(id)?.key;
  }

  forget(id: string): string | undefined {
    const key = this.find(id);
    this.keys.delete(id);
    return key;
  }

  get size(): number {
    return this.keys.size;
  }

  private forgetUnusedSince(time: number): void {
    for (const [id, { usedAt }] of this.keys) {
      if (usedAt > time) return;
      this.keys.delete(id);
    }
  }
}
