import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fleetPackages } from '@vigie/testing/fleet/machine';
import { cacheFolder, type Debian, makeDebian, releases as bareReleases } from '../bare/debian';
import { bringWayOut } from '../bare/machine';
import { alone } from '../lock.mjs';
import { runCommand } from '../start/command';
import { inherited } from '../start/env';
import { fr, say, seconds } from '../terminal';
import furnish from './furnish.sh';

type HostDebian = Debian & { renamed?: Readonly<Record<string, string>> };

/** The Debians that clients still have: Vigie itself runs on the newer two alone. */
export const releases = {
  '11': {
    codename: 'bullseye',
    nodeLibraries: [],
    renamed: { 'mariadb-server-core': 'mariadb-server-core-10.5' },
  },
  ...bareReleases,
} as const satisfies Record<string, HostDebian>;
export type Release = keyof typeof releases;

export const isRelease = (word: string): word is Release => Object.hasOwn(releases, word);

/** A minimal Debian with what serves a fleet, kept for the next time. Whoever enters it only reads it. */
export async function makeHost(release: Release, signal: AbortSignal): Promise<string> {
  const folder = join(cacheFolder, `host-${release}`);
  const bare = await makeDebian(release, releases[release], say, signal);
  const onWait = () => say(fr`Attend qu’une autre épreuve ait fait son hôte…`);
  await alone(`${folder}.lock`, () => makeOnce(release, bare, folder), { onWait, signal });
  return folder;
}

async function makeOnce(release: Release, bare: string, folder: string): Promise<void> {
  if (existsSync(folder)) return;
  const { codename, renamed }: HostDebian = releases[release];
  say(fr`Installe OpenSSH, PHP, MariaDB et nginx dans la Debian ${release}…`);
  const since = performance.now();
  const partial = `${folder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  await runCommand('cp', ['-a', '--reflink=auto', bare, partial], { env: inherited });
  bringWayOut(partial, codename);
  const packages = [...fleetPackages.map((name) => renamed?.[name] ?? name), 'openssh-server', 'libnss-wrapper'];
  const apart = ['--mount', '--propagation', 'private', '--pid', '--fork', '--kill-child'];
  await runCommand('unshare', [...apart, '/bin/sh', '-c', furnish, partial, ...packages], { env: inherited });
  renameSync(partial, folder);
  say(fr`Debian ${release} prête à servir des sites (${seconds(performance.now() - since)}).`);
}
