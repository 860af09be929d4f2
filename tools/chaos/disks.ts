import { spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mayMount } from '@vigie/testing/mounts';
import { unfinished } from './verdict';

export const insideWord = '--in-own-mounts';

/** Small disks are mounted where nobody else sees them, and go with whoever has them. Undefined where there can be none. */
export function inOwnMounts(args: readonly string[]): Promise<number> | undefined {
  if (!mayMount() || args.includes(insideWord)) return undefined;
  const [node, file = ''] = process.argv;
  const own = [node ?? process.execPath, '--enable-source-maps', file, ...args, insideWord];
  const child = spawn('unshare', ['-m', '--propagation', 'private', 'setpriv', '--pdeathsig', 'TERM', '--', ...own], {
    stdio: 'inherit',
  });
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? unfinished)));
}

/** A folder that can be full. Without the right to mount it is like any other. */
export class SmallDisk {
  private readonly ballast: string;

  private constructor(
    readonly folder: string,
    readonly canFill: boolean,
  ) {
    this.ballast = join(folder, '.lest');
  }

  static at(folder: string, megabytes: number, { uid, gid } = { uid: 0, gid: 0 }): SmallDisk {
    mkdirSync(folder, { recursive: true, mode: 0o711 });
    const isOwn = process.argv.includes(insideWord);
    const options = ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=711`];
    if (isOwn && spawnSync('mount', [...options, 'none', folder]).status !== 0) throw new Error(`no disk at ${folder}`);
    chownSync(folder, uid, gid);
    return new SmallDisk(folder, isOwn);
  }

  /** Leaves nothing free. */
  fill(): void {
    if (!this.canFill) return;
    const { bavail, bsize } = statfsSync(this.folder);
    try {
      writeFileSync(this.ballast, Buffer.alloc(bavail * bsize));
    } catch {
      // Somebody else took the last of it.
    }
  }

  empty(): void {
    rmSync(this.ballast, { force: true });
  }

  unmount(): void {
    if (this.canFill) spawnSync('umount', ['-l', this.folder]);
  }
}
