import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const everyMs = 5_000;
const quietMs = 20_000;

const isGlibc = () => process.report.getReport().header.glibcVersionRuntime !== undefined;
const thisMachine = () => ({ platform: process.platform, arch: process.arch, libc: isGlibc() ? 'glibc' : 'musl' });

/** The folders that `npm ci` fills here: an optional package of another system or processor is left out, with its own. */
export function lockedFolders(lock, { platform, arch, libc } = thisMachine()) {
  const suits = (allowed, here) =>
    !allowed || (allowed[0].startsWith('!') ? !allowed.includes(`!${here}`) : allowed.includes(here));
  const packages = Object.entries(lock.packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);
  const foreign = packages
    .filter(([, one]) => !(suits(one.os, platform) && suits(one.cpu, arch) && suits(one.libc, libc)))
    .map(([path]) => path);
  return packages
    .map(([path]) => path)
    .filter((path) => !foreign.some((other) => path === other || path.startsWith(`${other}/`)));
}

/** Says now and then how far an installation is, until it is told to stop. */
export function watchInstall(root, log) {
  const folders = lockedFolders(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
  let told = { count: -1, at: 0 };
  const look = () => {
    const count = folders.filter((folder) => existsSync(join(root, folder, 'package.json'))).length;
    if (count === told.count && Date.now() - told.at < quietMs) return;
    told = { count, at: Date.now() };
    log(`  ${count} paquets sur ${folders.length}…`);
  };
  const timer = setInterval(look, everyMs);
  return () => clearInterval(timer);
}
