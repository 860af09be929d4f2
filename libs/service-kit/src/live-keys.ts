import { statSync } from 'node:fs';
import { kidOf, type Sealed, unseal } from '@vigie/vault/seal';
import { type KeyFile, readKeys } from './keys';
import type { Log } from './log';

const lookEveryMs = 1_000;

/**
 * The keys of this process as its file has them now: a rotation changes the rings of a running process. The other keys
 * stay as they were at start.
 */
export class LiveKeys implements KeyFile {
  private lookedAt = Number.NEGATIVE_INFINITY;
  private mark: string | undefined;
  private isWarned = false;

  constructor(
    private readonly path: string,
    private keys: KeyFile,
    private readonly log: Log,
  ) {}

  get opens() {
    return this.current.opens;
  }
  get readers() {
    return this.current.readers;
  }
  get instance() {
    return this.keys.instance;
  }
  get process() {
    return this.keys.process;
  }
  get identity() {
    return this.keys.identity;
  }
  get callers() {
    return this.keys.callers;
  }
  get database_password() {
    return this.keys.database_password;
  }
  get pepper() {
    return this.keys.pepper;
  }

  /** Reads the file if it changed. An unusable file changes nothing, and is read again a second later. */
  refresh(): void {
    this.lookedAt = performance.now();
    try {
      const { ino, size, mtimeMs, ctimeMs } = statSync(this.path);
      const mark = [ino, size, mtimeMs, ctimeMs].join();
      if (mark !== this.mark) this.take(readKeys(this.path, this.keys.process));
      this.mark = mark;
      this.isWarned = false;
    } catch (error) {
      if (!this.isWarned) this.log.warn({ err: error }, 'the key file cannot be used: the previous keys stay');
      this.isWarned = true;
    }
  }

  private get current(): KeyFile {
    if (performance.now() - this.lookedAt > lookEveryMs) this.refresh();
    return this.keys;
  }

  private take({ instance, opens, readers }: KeyFile): void {
    if (instance !== this.keys.instance) throw new Error(`${this.path} holds the keys of another installation`);
    this.keys = { ...this.keys, opens, readers };
  }
}

/**
 * A key that this process does not know may already be in its file, since the sealer read its own file a moment
 * earlier.
 */
export async function unsealWith(
  keys: Pick<KeyFile, 'opens'> & { refresh?: () => void },
  sealed: Sealed,
  place: string,
): Promise<string> {
  const kid = kidOf(sealed);
  if (!keys.opens.some((key) => key.kid === kid)) keys.refresh?.();
  return unseal(sealed, keys.opens, place);
}
