import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadParts } from './load-parts';
import tests from './load-tests.php';
import packageJson from './php/package-json.php';
import archive from './php/archive.php';
import rollbackCopy from './php/rollback-copy.php';
import rollbackTables from './php/rollback-tables.php';
import boot from './php/boot.php';
import database from './php/database.php';
import dump from './php/dump.php';
import files from './php/files.php';
import item from './php/item.php';
import leftoverTables from './php/leftover-tables.php';
import readRollbackCopy from './php/read-rollback-copy.php';
import objectCache from './php/object-cache.php';
import foreignTables from './php/foreign-tables.php';
import rollback from './php/rollback.php';
import restoreCheck from './php/restore-check.php';
import room from './php/room.php';
import site from './php/site.php';
import start from './php/start.php';
import scanDatabase from './php/scan-database.php';
import tableSwapState from './php/table-swap-state.php';
import tableSwap from './php/table-swap.php';
import operationPhp from './php/operation.php';
import { joinParts } from './run-php';

const maxBuffer = 1 << 26;
/** Ends a program that waits for a lock for ever. */
const timeout = 120_000;

/** Runs the PHP classes that load dumps. */
export class LoadTests {
  readonly folder = mkdtempSync(join(tmpdir(), 'vigie-load-'));
  private readonly program = join(this.folder, 'tests.php');

  constructor(private readonly constants: Record<string, unknown> = {}) {
    const others = [
      archive,
      database,
      dump,
      site,
      packageJson,
      room,
      foreignTables,
      tableSwapState,
      tableSwap,
      leftoverTables,
      objectCache,
      rollbackCopy,
      rollbackTables,
      readRollbackCopy,
      rollback,
      restoreCheck,
      start,
      item,
      boot,
    ];
    writeFileSync(this.program, joinParts(operationPhp, files, scanDatabase, ...loadParts, ...others, tests));
  }

  /** Uses the database login of the site at `path`. */
  static at(path: string): LoadTests {
    const config = readFileSync(join(path, 'wp-config.php'), 'utf8');
    const constant = (name: string) => new RegExp(`'${name}', '([^']*)'`).exec(config)?.[1] ?? '';
    return new LoadTests(
      Object.fromEntries(['DB_USER', 'DB_PASSWORD', 'DB_HOST'].map((name) => [name, constant(name)])),
    );
  }

  /** Runs all requests in one PHP process, and returns their answers. */
  ask<T>(requests: readonly object[], { database: name = '', settings = [] as readonly string[] } = {}): T[] {
    const input = JSON.stringify({ constants: { ...this.constants, DB_NAME: name }, asks: requests });
    const args = settings.flatMap((setting) => ['-d', setting]);
    return JSON.parse(
      execFileSync('php', [...args, this.program], { input, encoding: 'utf8', maxBuffer, timeout }),
    ) as T[];
  }

  close(): void {
    rmSync(this.folder, { recursive: true });
  }
}

export const siteAt = (prefix: string, url: string, root = '/srv/nouveau') => ({
  prefix,
  root,
  content: `${root}/wp-content`,
  uploads: `${root}/wp-content/uploads`,
  plugins: `${root}/wp-content/plugins`,
  options: { siteurl: url, home: url },
});
