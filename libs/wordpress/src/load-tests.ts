import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadParts } from './load-parts';
import tests from './load-tests.php';
import about from './php/about.php';
import archive from './php/archive.php';
import database from './php/database.php';
import dump from './php/dump.php';
import files from './php/files.php';
import room from './php/room.php';
import site from './php/site.php';
import tables from './php/tables.php';
import tell from './php/tell.php';
import { joined } from './run-php';

const maxBuffer = 1 << 26;

/** The classes that load dumps, for tests to ask. */
export class LoadTests {
  readonly folder = mkdtempSync(join(tmpdir(), 'vigie-load-'));
  private readonly program = join(this.folder, 'tests.php');

  constructor(private readonly constants: Record<string, string> = {}) {
    const others = [archive, database, dump, site, about, room];
    writeFileSync(this.program, joined(tell, files, tables, ...loadParts, ...others, tests));
  }

  /** What each of them is answered, all by one PHP. */
  ask<T>(asks: readonly object[], { database: name = '', settings = [] as readonly string[] } = {}): T[] {
    const input = JSON.stringify({ constants: { ...this.constants, DB_NAME: name }, asks });
    const args = settings.flatMap((setting) => ['-d', setting]);
    return JSON.parse(execFileSync('php', [...args, this.program], { input, encoding: 'utf8', maxBuffer })) as T[];
  }

  close(): void {
    rmSync(this.folder, { recursive: true });
  }
}

/** A site as its new place has it. */
export const placeOf = (prefix: string, url: string, root = '/srv/nouveau') => ({
  prefix,
  root,
  content: `${root}/wp-content`,
  uploads: `${root}/wp-content/uploads`,
  plugins: `${root}/wp-content/plugins`,
  options: { siteurl: url, home: url },
});
