import { alone } from '../lock.mjs';
import { findBinary } from '../start/binaries';
import { withoutDaemons } from '../start/packages';
import type { Children, Ended } from './children';

/** Of whoever installs packages for Vigie on this machine. */
const lock = '/run/vigie-packages.lock';

export const canInstall = () => process.getuid?.() === 0 && findBinary('apt-get', undefined) !== undefined;

/** Installs the distribution's packages, unless somebody else did it while this one waited its turn. */
export function install(children: Children, names: readonly string[], isDone: () => boolean): Promise<Ended> {
  return alone(lock, async () => {
    if (isDone()) return { code: 0, output: '' };
    const update = await apt(children, ['update']);
    if (update.code !== 0) return update;
    return withoutDaemons(() => apt(children, ['install', '--yes', '--no-install-recommends', ...names]));
  });
}

const apt = (children: Children, args: readonly string[]) =>
  children.run('apt-get', ['--quiet', '-o', 'DPkg::Lock::Timeout=300', ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
