import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fleetPackages } from '@vigie/testing/fleet/machine';
import { cacheFolder, type Debian, makeDebian, releases as bareReleases } from '../bare/debian';
import { copyNetworkSettings } from '../bare/machine';
import { withLock } from '../lock.mjs';
import { runCommand } from '../start/command';
import { inherited } from '../start/env';
import { fr, say, seconds } from '../terminal';
import installPackages from './install-packages.sh';

type HostDebian = Debian & { packageNames?: Readonly<Record<string, string>> };

/** The releases that hosts of clients run; Vigie itself runs on the newer two only. */
export const releases = {
  '11': {
    codename: 'bullseye',
    nodeLibraries: [],
    packageNames: { 'mariadb-server-core': 'mariadb-server-core-10.5' },
  },
  ...bareReleases,
} as const satisfies Record<string, HostDebian>;
export type Release = keyof typeof releases;

export const isRelease = (word: string): word is Release => Object.hasOwn(releases, word);

/** Returns the folder of a Debian with the servers that a fleet needs, installed once. Trials mount it read-only. */
export async function makeHost(release: Release, signal: AbortSignal): Promise<string> {
  const folder = join(cacheFolder, `host-${release}`);
  const debianFolder = await makeDebian(release, releases[release], say, signal);
  const onWait = () => say(fr`Attend qu’une autre épreuve ait fait son hôte…`);
  await withLock(`${folder}.lock`, () => buildHost(release, debianFolder, folder), { onWait, signal });
  return folder;
}

async function buildHost(release: Release, debianFolder: string, folder: string): Promise<void> {
  if (existsSync(folder)) return;
  const { codename, packageNames }: HostDebian = releases[release];
  say(fr`Installe OpenSSH, PHP, MariaDB et nginx dans la Debian ${release}…`);
  const startedAt = performance.now();
  const partial = `${folder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  await runCommand('cp', ['-a', '--reflink=auto', debianFolder, partial], { env: inherited });
  copyNetworkSettings(partial, codename);
  const packages = [...fleetPackages.map((name) => packageNames?.[name] ?? name), 'openssh-server', 'libnss-wrapper'];
  const unshareOptions = ['--mount', '--propagation', 'private', '--pid', '--fork', '--kill-child'];
  await runCommand('unshare', [...unshareOptions, '/bin/sh', '-c', installPackages, partial, ...packages], {
    env: inherited,
  });
  renameSync(partial, folder);
  say(fr`Debian ${release} prête à servir des sites (${seconds(performance.now() - startedAt)}).`);
}
