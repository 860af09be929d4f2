import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unpackParts } from '@vigie/wordpress/unpack';
import { hostCommand } from './host-root';
import harness from './unpack.php';

/** What the reader says of an archive, or why it refuses it. */
export type Outcome = { code?: string; why?: string; path?: string; by?: string; entries?: number };

type Place = { content: string; uploads: string; plugins: string; themes: string[] };
type Order = {
  archive: string;
  site: Place;
  operation: string;
  /** As PHP writes a pattern. */
  wants?: string;
  /** Does not look for room. */
  isBlind?: boolean;
  fileMode?: number;
  /** What somebody writes behind the archive meanwhile. */
  append?: string;
};
type Unpacked = Outcome & {
  isUnchanged?: boolean;
  areas: { root: string; stage: string }[];
  skipped: { count: number; examples: string[] };
  /** Bytes by the folder of each area. */
  planned: Record<string, number>;
  /** Bytes of the archive that were written when it ended. */
  last: number;
  /** The most bytes that PHP used. */
  memory: number;
};

/** The parts of a restore that read an archive and stage its files, in the PHP of this machine. */
export class Unpacks {
  readonly folder = mkdtempSync(join(tmpdir(), 'vigie-unpack-'));

  constructor() {
    const parts = [...unpackParts, harness].map((part) => part.replace(/^<\?php\n/, ''));
    writeFileSync(join(this.folder, 'unpack.php'), `<?php\n${parts.join('\n')}`);
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Reads archives, and tells of each. */
  verify(paths: readonly string[], more: { most?: number; isCaseless?: boolean } = {}): Outcome[] {
    return this.run({ verify: paths.map((path) => ({ path, ...more })) }) as Outcome[];
  }

  verifyBytes(all: readonly Buffer[], more?: { most?: number; isCaseless?: boolean }): Outcome[] {
    const paths = all.map((bytes, n) => this.keep(`${n}.wpress`, bytes));
    const said = this.verify(paths, more);
    for (const path of paths) rmSync(path);
    return said;
  }

  keep(name: string, bytes: Buffer): string {
    const path = join(this.folder, name);
    writeFileSync(path, bytes);
    return path;
  }

  /** Of folders, or of `folding://`, which takes A for a. */
  foldsCase(folders: readonly string[]): boolean[] {
    return this.run({ folders }) as boolean[];
  }

  unpack(order: Order): Unpacked {
    return this.run(order) as Unpacked;
  }

  private run(order: object): unknown {
    const given = this.keep('order.json', Buffer.from(JSON.stringify(order)));
    const args = ['-d', 'error_reporting=-1', '-d', 'display_errors=stderr', join(this.folder, 'unpack.php'), given];
    const { stdout, stderr } = spawnSync(...hostCommand('php', args), { encoding: 'utf8', maxBuffer: 64 * 1_048_576 });
    if (stderr !== '') throw new Error(`${stdout}\n${stderr}`);
    return JSON.parse(stdout);
  }
}
