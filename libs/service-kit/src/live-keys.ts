import { statSync } from 'node:fs';
import { kidOf, type Sealed, unseal } from '@vigie/vault/seal';
import { type KeyFile, readKeys } from './keys';
import type { Log } from './log';

const checkEveryMs = 1_000;

/** The keys of this process as its file has them now; only the rings change while the process runs. */
export class LiveKeys implements KeyFile {
  private checkedAt = Number.NEGATIVE_INFINITY;
  private fileVersion: string | undefined;
  private hasWarned = false;

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
    this.checkedAt = performance.now();
    try {
      const { ino, size, mtimeMs, ctimeMs } = statSync(this.path);
      const fileVersion = [ino, size, mtimeMs, ctimeMs].join();
      if (fileVersion !== this.fileVersion) this.replaceRings(readKeys(this.path, this.keys.process));
      this.fileVersion = fileVersion;
      this.hasWarned = false;
    } catch (error) {
      if (!this.hasWarned) this.log.warn({ err: error }, 'the key file cannot be used: the previous keys stay');
      this.hasWarned = true;
    }
  }

  private get current(): KeyFile {
    if (performance.now() - this.checkedAt > checkEveryMs) this.refresh();
    return this.keys;
  }

  private replaceRings({ instance, opens, readers }: KeyFile): void {
    if (instance !== this.keys.instance) throw new Error(`${this.path} holds the keys of another installation`);
    this.keys = { ...this.keys, opens, readers };
  }
}

/** An unknown key may already be in the key file, since the sealer read its own file a moment earlier. */
export async function unsealWith(
  keys: Pick<KeyFile, 'opens'> & { refresh?: () => void },
  sealed: Sealed,
  sealContext: string,
): Promise<string> {
  const kid = kidOf(sealed);
  if (!keys.opens.some((key) => key.kid === kid)) keys.refresh?.();
  return unseal(sealed, keys.opens, sealContext);
}
