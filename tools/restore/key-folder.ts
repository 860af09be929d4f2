import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal, fr } from '../start/console';
import { keyFile } from '../start/keys';
import { writeWhole } from '../start/whole-file';

/** The keys of an archive, beside those that are there until the rows are theirs too. */
export class KeyFolder {
  readonly staged: string;

  constructor(
    private readonly folder: string,
    private readonly keys: ReadonlyMap<string, Buffer>,
  ) {
    this.staged = join(folder, 'of-restore');
    rmSync(this.staged, { recursive: true, force: true });
    mkdirSync(this.staged, { recursive: true, mode: 0o700 });
    for (const [name, bytes] of keys) writeWhole(keyFile(this.staged, name), bytes.toString());
  }

  /** Other keys that are there already opened something. */
  requireFree(): void {
    if (this.others().length === 0) return;
    throw new Refusal(
      fr`${this.folder} contient déjà d’autres clés. Donnez un autre VIGIE_HOME (ou --keys), ou remplacez ce qui est là par --replace.`,
    );
  }

  /** From here on a start takes these; what was there stays in a folder beside them. */
  take(): void {
    const others = this.others();
    const aside = join(this.folder, `before-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`);
    if (others.length > 0) mkdirSync(aside, { mode: 0o700 });
    for (const name of others) renameSync(keyFile(this.folder, name), keyFile(aside, name));
    for (const name of this.keys.keys()) renameSync(keyFile(this.staged, name), keyFile(this.folder, name));
    this.discard();
  }

  discard(): void {
    rmSync(this.staged, { recursive: true, force: true });
  }

  private others(): string[] {
    return [...this.keys].flatMap(([name, bytes]) => {
      const file = keyFile(this.folder, name);
      return existsSync(file) && !readFileSync(file).equals(bytes) ? name : [];
    });
  }
}
