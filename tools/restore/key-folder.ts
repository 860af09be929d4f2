import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ignoreMissing } from '@vigie/files/disk';
import { keyFile } from '../start/keys';
import { makeFolder, syncFolder, writeWhole } from '../start/whole-file';
import { Refusal, fr } from '../terminal';

/**
 * The keys of an archive, and those whose place they take. Until `settle` what was there waits in a folder beside them, whole
 * or not at all, so that a run which comes after one that was killed knows of it too.
 */
export class KeyFolder {
  private readonly replaced: string;
  /** What goes with the rows: keys, the note of a rotation of them, and the first password, as it was in those rows. */
  private readonly files: ReadonlyMap<string, string>;

  constructor(
    private readonly folder: string,
    home: string,
    private readonly keys: ReadonlyMap<string, Buffer>,
  ) {
    makeFolder(folder);
    this.replaced = join(folder, 'before-restore');
    const beside = [...keys.keys(), 'rotation'].map((name) => [name, keyFile(folder, name)] as const);
    this.files = new Map([...beside, ['first-admin', keyFile(home, 'first-admin')]]);
  }

  /** Other keys that are there already opened something. */
  requireFree(): void {
    const isOther = ([name, bytes]: [string, Buffer]) =>
      !bytes.equals(readIfThere(keyFile(this.folder, name)) ?? bytes);
    if (![...this.keys].some(isOther)) return;
    throw new Refusal(
      fr`${this.folder} contient déjà d’autres clés. Donnez un autre VIGIE_HOME (ou --keys), ou remplacez ce qui est là par --replace.`,
    );
  }

  /** From here on a start takes these. */
  take(): void {
    const part = `${this.replaced}.part`;
    rmSync(part, { recursive: true, force: true });
    makeFolder(part);
    for (const [name, file] of this.files) write(keyFile(part, name), readIfThere(file));
    this.rename(part, this.replaced);
    for (const [name, file] of this.files) write(file, this.keys.get(name));
  }

  /** What `take` replaced, in this run or in one that was killed, is where it was. */
  putBack(): void {
    if (!existsSync(this.replaced)) return;
    for (const [name, file] of this.files) write(file, readIfThere(keyFile(this.replaced, name)));
    // What is removed file by file must not be found by its name: it would be put back.
    this.rename(this.replaced, `${this.replaced}.part`);
    rmSync(`${this.replaced}.part`, { recursive: true });
  }

  /** What was replaced by others is kept under its time, and never looked at again. */
  settle(): void {
    if (!existsSync(this.replaced)) return;
    for (const [name, file] of this.files) {
      const was = keyFile(this.replaced, name);
      if (readIfThere(was)?.equals(readIfThere(file) ?? Buffer.alloc(0))) rmSync(was);
    }
    const kept = join(this.folder, `before-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`);
    if (readdirSync(this.replaced).length === 0) rmSync(this.replaced, { recursive: true });
    else this.rename(this.replaced, kept);
  }

  private rename(from: string, to: string): void {
    rmSync(to, { recursive: true, force: true });
    renameSync(from, to);
    syncFolder(this.folder);
  }
}

/** What may not be read is there all the same: it is not taken for absent, nor then removed where it was. */
function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    return ignoreMissing(error);
  }
}

function write(file: string, bytes: Buffer | undefined): void {
  if (bytes) writeWhole(file, bytes.toString());
  else rmSync(file, { force: true });
}
