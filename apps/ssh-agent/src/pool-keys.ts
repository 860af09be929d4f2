/** Longer than a connection stays open without being used. */
const defaultIdleMs = 3_600_000;

type PoolKey = { version: number; logins: number; key: string; usedAt: number };

/** The keys of pooled connections: for each row that of the newest version in use. */
export class PoolKeys {
  private readonly keys = new Map<string, PoolKey>();

  constructor(private readonly ms = defaultIdleMs) {}

  /** The key of a version, the key that it replaces, and whether others logged in with it since its last use. */
  use(id: string, version: number, logins = 0): { key: string; outdated: string | undefined; isProven: boolean } {
    const key = `${id}@${version}`;
    const usedAt = performance.now();
    const last = this.keys.get(id);
    const isNewest = !last || last.version <= version;
    const knownLogins = last?.version === version ? last.logins : 0;
    // Moves the row to the end of the order in which rows are forgotten.
    this.keys.delete(id);
    this.keys.set(id, isNewest ? { version, logins: Math.max(logins, knownLogins), key, usedAt } : { ...last, usedAt });
    this.forgetUnusedSince(usedAt - this.ms);
    const outdated = last && last.version < version ? last.key : undefined;
    return { key, outdated, isProven: last?.version === version && logins > knownLogins };
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
