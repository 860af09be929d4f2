import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ignoreMissing } from '@vigie/files/disk';
import { keyFile } from '../start/keys';
import { makeFolder, syncFolder, writeWhole } from '../start/whole-file';
import { Refusal, fr } from '../terminal';

/**
 * Installs the keys of an archive. Until `keepPrevious`, the previous keys are in a folder beside them, which exists only
 * when it is complete, so that the next run can use it after a kill.
 */
export class KeyFolder {
  private readonly previousFolder: string;
  /** The files that belong to the rows: the keys, the note of their rotation, and the first password. */
  private readonly files: ReadonlyMap<string, string>;

  constructor(
    private readonly folder: string,
    home: string,
    private readonly keys: ReadonlyMap<string, Buffer>,
  ) {
    makeFolder(folder);
    this.previousFolder = join(folder, 'before-restore');
    const keyFiles = [...keys.keys(), 'rotation'].map((name) => [name, keyFile(folder, name)] as const);
    this.files = new Map([...keyFiles, ['first-admin', keyFile(home, 'first-admin')]]);
  }

  /** Other keys in the folder open values of another installation, so they must not be replaced unasked. */
  requireNoOtherKeys(): void {
    const differs = ([name, bytes]: [string, Buffer]) =>
      !bytes.equals(readIfPresent(keyFile(this.folder, name)) ?? bytes);
    if (![...this.keys].some(differs)) return;
    throw new Refusal(
      fr`${this.folder} contient déjà d’autres clés. Donnez un autre VIGIE_HOME (ou --keys), ou remplacez ce qui est là par --replace.`,
    );
  }

  /** Replaces the keys: the next start uses the new ones. */
  install(): void {
    const part = `${this.previousFolder}.part`;
    rmSync(part, { recursive: true, force: true });
    makeFolder(part);
    for (const [name, file] of this.files) writeOrRemove(keyFile(part, name), readIfPresent(file));
    this.rename(part, this.previousFolder);
    for (const [name, file] of this.files) writeOrRemove(file, this.keys.get(name));
  }

  /** Restores the files that this run, or a killed one, has replaced. */
  restorePrevious(): void {
    if (!existsSync(this.previousFolder)) return;
    for (const [name, file] of this.files) writeOrRemove(file, readIfPresent(keyFile(this.previousFolder, name)));
    // Renamed first, because a folder that is half removed must not be restored from.
    this.rename(this.previousFolder, `${this.previousFolder}.part`);
    rmSync(`${this.previousFolder}.part`, { recursive: true });
  }

  /** Keeps the replaced files for good, in a folder named after the current time. */
  keepPrevious(): void {
    if (!existsSync(this.previousFolder)) return;
    for (const [name, file] of this.files) {
      const previousFile = keyFile(this.previousFolder, name);
      if (readIfPresent(previousFile)?.equals(readIfPresent(file) ?? Buffer.alloc(0))) rmSync(previousFile);
    }
    const archiveFolder = join(this.folder, `before-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`);
    if (readdirSync(this.previousFolder).length === 0) rmSync(this.previousFolder, { recursive: true });
    else this.rename(this.previousFolder, archiveFolder);
  }

  private rename(from: string, to: string): void {
    rmSync(to, { recursive: true, force: true });
    renameSync(from, to);
    syncFolder(this.folder);
  }
}

/** An unreadable file is not absent: treating it as absent would delete the original. */
function readIfPresent(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    return ignoreMissing(error);
  }
}

function writeOrRemove(file: string, bytes: Buffer | undefined): void {
  if (bytes) writeWhole(file, bytes.toString());
  else rmSync(file, { force: true });
}
