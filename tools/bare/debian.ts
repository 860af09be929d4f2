import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { withLock } from '../lock.mjs';
import { findBinary } from '../start/binaries';
import { runCommand } from '../start/command';
import { inherited } from '../start/env';
import { providePackages } from '../start/packages';
import { type Log, fr, seconds } from '../terminal';
import { readMachineSources } from './machine';
import { mirrorOf } from './sources';

export type Debian = {
  codename: string;
  /** The packages of the libraries that this machine's Node binary needs. */
  nodeLibraries: readonly string[];
};

export const releases = {
  '12': { codename: 'bookworm', nodeLibraries: ['libstdc++6'] },
  '13': { codename: 'trixie', nodeLibraries: ['libstdc++6', 'libatomic1'] },
} as const satisfies Record<string, Debian>;
export type Release = keyof typeof releases;

export const isRelease = (word: string): word is Release => Object.hasOwn(releases, word);

export const cacheFolder = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'vigie/bare');
const logEveryMs = 10_000;

/** Returns the folder of a minimal Debian, made by debootstrap once. Runs work in a copy of it. */
export async function makeDebian(release: string, debian: Debian, log: Log, signal: AbortSignal): Promise<string> {
  const folder = join(cacheFolder, `debian-${release}`);
  mkdirSync(cacheFolder, { recursive: true, mode: 0o700 });
  const onWait = () => log(fr`Attend qu’une autre épreuve ait fait sa Debian…`);
  await withLock(
    join(cacheFolder, `debian-${release}.lock`),
    () => buildDebian(release, debian, { folder, log, signal }),
    { onWait, signal },
  );
  return folder;
}

type DebianBuild = { folder: string; log: Log; signal: AbortSignal };

async function buildDebian(release: string, debian: Debian, { folder, log, signal }: DebianBuild): Promise<void> {
  if (existsSync(folder)) return;
  await providePackages(['debootstrap'], () => !findBinary('debootstrap', undefined), { log, signal });
  const { codename, nodeLibraries } = debian;
  const startedAt = performance.now();
  log(fr`Fait une Debian ${release} minimale par debootstrap…`);
  const partial = `${folder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  const mirror = mirrorOf(readMachineSources(codename), codename);
  const includeOption = nodeLibraries.length > 0 ? [`--include=${nodeLibraries.join(',')}`] : [];
  const options = ['--variant=minbase', ...includeOption];
  // The mounts of debootstrap stay in its own namespace and disappear with it.
  const unshareOptions = ['--mount', '--propagation', 'private', '--pid', '--fork', '--kill-child', '--mount-proc'];
  const command = ['debootstrap', ...options, codename, partial, ...(mirror === undefined ? [] : [mirror])];
  await runCommand('unshare', [...unshareOptions, ...command], {
    env: { ...inherited, LC_ALL: 'C' },
    onOutput: progressLogger(log),
  });
  // A new machine has no package lists yet, and these would be outdated later.
  for (const folderName of ['var/cache/apt/archives', 'var/lib/apt/lists']) {
    rmSync(join(partial, folderName), { recursive: true });
    mkdirSync(join(partial, folderName, 'partial'), { recursive: true });
  }
  renameSync(partial, folder);
  log(fr`Debian ${release} faite (${seconds(performance.now() - startedAt)}).`);
}

/** Logs a progress line of debootstrap from time to time. */
function progressLogger(log: Log): (text: string) => void {
  let loggedAt = performance.now();
  return (text) => {
    const line = /^I: (.+)$/m.exec(text)?.[1];
    if (line === undefined || performance.now() - loggedAt < logEveryMs) return;
    loggedAt = performance.now();
    log(`  ${line}`);
  };
}
