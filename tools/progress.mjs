import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const everyMs = 5_000;
const quietMs = 20_000;

const isGlibc = () => process.report.getReport().header.glibcVersionRuntime !== undefined;
const thisMachine = () => ({ platform: process.platform, arch: process.arch, libc: isGlibc() ? 'glibc' : 'musl' });

/** The folders that `npm ci` fills on this machine: without optional packages of other platforms and what these contain. */
export function lockedFolders(lock, { platform, arch, libc } = thisMachine()) {
  const suits = (allowed, value) =>
    !allowed || (allowed[0].startsWith('!') ? !allowed.includes(`!${value}`) : allowed.includes(value));
  const packages = Object.entries(lock.packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);
  const foreign = packages
    .filter(([, one]) => !(suits(one.os, platform) && suits(one.cpu, arch) && suits(one.libc, libc)))
    .map(([path]) => path);
  return packages
    .map(([path]) => path)
    .filter((path) => !foreign.some((other) => path === other || path.startsWith(`${other}/`)));
}

/** Logs the progress of an installation from time to time; returns a function that stops it. */
export function watchInstall(root, log) {
  const folders = lockedFolders(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
  let last = { count: -1, at: 0 };
  const report = () => {
    const count = folders.filter((folder) => existsSync(join(root, folder, 'package.json'))).length;
    if (count === last.count && Date.now() - last.at < quietMs) return;
    last = { count, at: Date.now() };
    log(`  ${count} paquets sur ${folders.length}…`);
  };
  const timer = setInterval(report, everyMs);
  return () => clearInterval(timer);
}
