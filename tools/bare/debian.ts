import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { alone } from '../lock.mjs';
import { findBinary } from '../start/binaries';
import { runCommand } from '../start/command';
import { inherited } from '../start/env';
import { provideOthers } from '../start/packages';
import { type Log, fr, seconds } from '../terminal';
import { readMachineSources } from './machine';
import { mirrorOf } from './sources';

export type Debian = {
  codename: string;
  /** What the Node of another Debian is linked with. */
  nodeLibraries: readonly string[];
};

export const releases = {
  '12': { codename: 'bookworm', nodeLibraries: ['libstdc++6'] },
  '13': { codename: 'trixie', nodeLibraries: ['libstdc++6', 'libatomic1'] },
} as const satisfies Record<string, Debian>;
export type Release = keyof typeof releases;

export const isRelease = (word: string): word is Release => Object.hasOwn(releases, word);

export const cacheFolder = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'vigie/bare');
const tellEveryMs = 10_000;

/** The folder of a minimal Debian as debootstrap makes it, kept for the next time. Nobody works in it: runs copy it. */
export async function makeDebian(release: string, debian: Debian, log: Log, signal: AbortSignal): Promise<string> {
  const folder = join(cacheFolder, `debian-${release}`);
  mkdirSync(cacheFolder, { recursive: true, mode: 0o700 });
  const onWait = () => log(fr`Attend qu’une autre épreuve ait fait sa Debian…`);
  await alone(join(cacheFolder, `debian-${release}.lock`), () => makeOnce(release, debian, { folder, log, signal }), {
    onWait,
    signal,
  });
  return folder;
}

type Making = { folder: string; log: Log; signal: AbortSignal };

async function makeOnce(release: string, debian: Debian, { folder, log, signal }: Making): Promise<void> {
  if (existsSync(folder)) return;
  await provideOthers(['debootstrap'], () => !findBinary('debootstrap', undefined), { log, signal });
  const { codename, nodeLibraries } = debian;
  const since = performance.now();
  log(fr`Fait une Debian ${release} minimale par debootstrap…`);
  const partial = `${folder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  const mirror = mirrorOf(readMachineSources(codename), codename);
  const included = nodeLibraries.length > 0 ? [`--include=${nodeLibraries.join(',')}`] : [];
  const options = ['--variant=minbase', ...included];
  // What it mounts in the folder is seen by itself alone, and goes with it.
  const apart = ['--mount', '--propagation', 'private', '--pid', '--fork', '--kill-child', '--mount-proc'];
  const command = ['debootstrap', ...options, codename, partial, ...(mirror === undefined ? [] : [mirror])];
  await runCommand('unshare', [...apart, ...command], { env: { ...inherited, LC_ALL: 'C' }, onOutput: tellNow(log) });
  // A new machine may know no package yet, and later the list would be an old one.
  for (const kept of ['var/cache/apt/archives', 'var/lib/apt/lists']) {
    rmSync(join(partial, kept), { recursive: true });
    mkdirSync(join(partial, kept, 'partial'), { recursive: true });
  }
  renameSync(partial, folder);
  log(fr`Debian ${release} faite (${seconds(performance.now() - since)}).`);
}

/** What debootstrap is at, now and then. */
function tellNow(log: Log): (text: string) => void {
  let told = performance.now();
  return (text) => {
    const line = /^I: (.+)$/m.exec(text)?.[1];
    if (line === undefined || performance.now() - told < tellEveryMs) return;
    told = performance.now();
    log(`  ${line}`);
  };
}
