import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const PackedContent = z.object({
  rows: z.array(z.string()),
  files: z.array(z.string()),
  collations: z.array(z.string()),
});
/** Content of a site when it was packed, without host-specific parts. */
export type PackedContent = z.infer<typeof PackedContent>;

/** Archives made on hosts of several Debian releases, to restore on each other; `npm run hosts` sets the folder. */
export class ReleaseArchives {
  readonly release = process.env['VIGIE_TEST_RELEASE'] ?? '';
  private readonly folder = process.env['VIGIE_TEST_PAIRS'] ?? '';

  keep(archive: string, packed: PackedContent): void {
    copyFileSync(archive, this.pathOf(this.release));
    writeFileSync(join(this.folder, `${this.release}.json`), JSON.stringify(packed));
  }

  get releases(): string[] {
    return readdirSync(this.folder).flatMap((name) => /^(\d+)\.json$/.exec(name)?.[1] ?? []);
  }

  archiveOf = (release: string) => readFileSync(this.pathOf(release));

  packedOf = (release: string): PackedContent =>
    PackedContent.parse(JSON.parse(readFileSync(join(this.folder, `${release}.json`), 'utf8')));

  private pathOf = (release: string) => join(this.folder, `${release}.wpress`);
}
