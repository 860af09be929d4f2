import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const Packed = z.object({ rows: z.array(z.string()), files: z.array(z.string()), collations: z.array(z.string()) });
/** What a site held when it was packed, without what its host alone has. */
export type Packed = z.infer<typeof Packed>;

/** Archives that hosts of several releases make, for those of all of them: `npm run hosts` says in which folder. */
export class Pairs {
  readonly release = process.env['VIGIE_TEST_RELEASE'] ?? '';
  private readonly folder = process.env['VIGIE_TEST_PAIRS'] ?? '';

  keep(archive: string, packed: Packed): void {
    copyFileSync(archive, this.pathOf(this.release));
    writeFileSync(join(this.folder, `${this.release}.json`), JSON.stringify(packed));
  }

  /** The releases whose archive there is. */
  get releases(): string[] {
    return readdirSync(this.folder).flatMap((name) => /^(\d+)\.json$/.exec(name)?.[1] ?? []);
  }

  archiveOf = (release: string) => readFileSync(this.pathOf(release));

  packedOf = (release: string): Packed =>
    Packed.parse(JSON.parse(readFileSync(join(this.folder, `${release}.json`), 'utf8')));

  private pathOf = (release: string) => join(this.folder, `${release}.wpress`);
}
