import { spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mayMount } from '@vigie/testing/mounts';
import { unfinishedCode } from './verdict';

export const mountsOption = '--in-own-mounts';

/** Runs the command again in its own mount namespace, where small disks can be mounted; undefined if that is not possible. */
export function runInOwnMounts(args: readonly string[]): Promise<number> | undefined {
  if (!mayMount() || args.includes(mountsOption)) return undefined;
  const [node, file = ''] = process.argv;
  const command = [node ?? process.execPath, '--enable-source-maps', file, ...args, mountsOption];
  const child = spawn(
    'unshare',
    ['-m', '--propagation', 'private', 'setpriv', '--pdeathsig', 'TERM', '--', ...command],
    { stdio: 'inherit' },
  );
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? unfinishedCode)));
}

/** A small disk that can be filled; without the right to mount it is a normal folder. */
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
    const isOwn = process.argv.includes(mountsOption);
    const options = ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=711`];
    if (isOwn && spawnSync('mount', [...options, 'none', folder]).status !== 0) throw new Error(`no disk at ${folder}`);
    chownSync(folder, uid, gid);
    return new SmallDisk(folder, isOwn);
  }

  fill(): void {
    if (!this.canFill) return;
    const { bavail, bsize } = statfsSync(this.folder);
    try {
      writeFileSync(this.ballast, Buffer.alloc(bavail * bsize));
    } catch {
      // Another process used the last free bytes.
    }
  }

  empty(): void {
    rmSync(this.ballast, { force: true });
  }

  unmount(): void {
    if (this.canFill) spawnSync('umount', ['-l', this.folder]);
  }
}
