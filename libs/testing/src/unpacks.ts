import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unpackParts } from '@vigie/wordpress/unpack';
import { hostCommand } from './host-root';
import harness from './unpack.php';

/** Result of reading an archive, or its refusal. */
export type Outcome = { code?: string; why?: string; path?: string; by?: string; entries?: number };

type SiteFolders = { content: string; uploads: string; plugins: string; themes: string[] };
type UnpackOrder = {
  archive: string;
  site: SiteFolders;
  operation: string;
  /** A PHP regular expression of the paths to unpack. */
  wants?: string;
  isBlind?: boolean;
  fileMode?: number;
  /** Bytes appended to the archive while it is unpacked. */
  append?: string;
};
type Unpacked = Outcome & {
  isUnchanged?: boolean;
  areas: { root: string; stage: string }[];
  skipped: { count: number; examples: string[] };
  /** Planned bytes by the folder of each area. */
  planned: Record<string, number>;
  /** Bytes of the archive that were written at the end. */
  last: number;
  /** Peak memory of PHP, in bytes. */
  memory: number;
};

/** Runs the restore's reading and staging of an archive in the local PHP. */
export class Unpacks {
  readonly folder = mkdtempSync(join(tmpdir(), 'vigie-unpack-'));

  constructor() {
    const parts = [...unpackParts, harness].map((part) => part.replace(/^<\?php\n/, ''));
    writeFileSync(join(this.folder, 'unpack.php'), `<?php\n${parts.join('\n')}`);
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Verifies archives and returns each result. */
  verify(paths: readonly string[], options: { most?: number; isCaseless?: boolean } = {}): Outcome[] {
    return this.run({ verify: paths.map((path) => ({ path, ...options })) }) as Outcome[];
  }

  verifyBytes(all: readonly Buffer[], options?: { most?: number; isCaseless?: boolean }): Outcome[] {
    const paths = all.map((bytes, n) => this.writeFile(`${n}.wpress`, bytes));
    const outcomes = this.verify(paths, options);
    for (const path of paths) rmSync(path);
    return outcomes;
  }

  writeFile(name: string, bytes: Buffer): string {
    const path = join(this.folder, name);
    writeFileSync(path, bytes);
    return path;
  }

  /** Whether each folder ignores case; `folding://` is a fake one that does. */
  foldsCase(folders: readonly string[]): boolean[] {
    return this.run({ folders }) as boolean[];
  }

  unpack(order: UnpackOrder): Unpacked {
    return this.run(order) as Unpacked;
  }

  private run(order: object): unknown {
    const orderFile = this.writeFile('order.json', Buffer.from(JSON.stringify(order)));
    const args = [
      '-d',
      'error_reporting=-1',
      '-d',
      'display_errors=stderr',
      join(this.folder, 'unpack.php'),
      orderFile,
    ];
    const { stdout, stderr } = spawnSync(...hostCommand('php', args), { encoding: 'utf8', maxBuffer: 64 * 1_048_576 });
    if (stderr !== '') throw new Error(`${stdout}\n${stderr}`);
    return JSON.parse(stdout);
  }
}
