import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { findBinary } from '../start/binaries';
import { runCommand } from '../start/command';
import { inherited, root as checkout } from '../start/env';
import { Refusal, fr } from '../terminal';
import { adaptSources, type AptSource, formatSources, keyFiles, readAcquire, readSources } from './sources';

/** Where the clone lies in the Debian: whoever logs in as root clones into the home folder. */
export const cloneFolder = '/root/vigie';

/** Variables that say how to get out of this machine, and whom to trust there. */
const passed = /^((https?|no|all)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|CURL_CA_BUNDLE|NPM_CONFIG_\w+)$/i;
const certificates = ['/etc/ssl/certs/ca-certificates.crt', '/usr/local/share/ca-certificates'];

/** Of a person who logs in: nothing of this machine's but the way out. npm's own words to this tool are left out. */
export function environmentOf(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const way = Object.entries(env).filter(([name]) => passed.test(name) && !name.startsWith('npm_'));
  const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
  // Others may be running on this machine, whose network this is.
  return { ...Object.fromEntries(way), PATH: path, HOME: '/root', USER: 'root', LANG: 'C.UTF-8', PORT: '0' };
}

/** The sources of this machine, for the release `codename`; none where it is no Debian. */
export function readMachineSources(codename: string): AptSource[] {
  const own = /^VERSION_CODENAME=(\S+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
  if (own === undefined) return [];
  const folder = '/etc/apt/sources.list.d';
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => /\.(list|sources)$/.test(name)) : [];
  const files = ['/etc/apt/sources.list', ...names.map((name) => join(folder, name))].filter((file) =>
    existsSync(file),
  );
  return adaptSources(
    files.flatMap((file) => readSources(file, readFileSync(file, 'utf8'))),
    own,
    codename,
  );
}

/** Puts into a fresh Debian what the README asks for, and the way to the packages; nothing else. */
export async function furnish(folder: string, codename: string): Promise<void> {
  copyNode(folder);
  bringWayOut(folder, codename);
  await clone(folder);
}

/** Of this machine, what gets out of it to the packages of the Debian. */
export function bringWayOut(folder: string, codename: string): void {
  bringFiles(folder, ['/etc/resolv.conf', '/etc/hosts', ...certificates, ...namedCertificates(inherited)]);
  bringApt(folder, codename);
}

function copyNode(folder: string): void {
  const npm = findBinary('npm', undefined);
  const npmFolder = npm && dirname(dirname(realpathSync(npm)));
  if (!npmFolder || basename(npmFolder) !== 'npm')
    throw new Refusal(fr`Le dossier de npm n’a pas été trouvé : npm est ${npm ?? 'absent'}.`);
  const [bin, modules] = [join(folder, 'usr/local/bin'), join(folder, 'usr/local/lib/node_modules')];
  mkdirSync(modules, { recursive: true });
  cpSync(realpathSync(process.execPath), join(bin, 'node'));
  cpSync(npmFolder, join(modules, 'npm'), { recursive: true });
  for (const name of ['npm', 'npx']) symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(bin, name));
  const settings = { globalconfig: 'usr/local/etc/npmrc', userconfig: 'root/.npmrc' };
  for (const [name, place] of Object.entries(settings)) {
    const file = spawnSync('npm', ['config', 'get', name], { encoding: 'utf8', cwd: '/' }).stdout.trim();
    if (existsSync(file)) cpSync(file, join(folder, place));
  }
}

/** Whatever of these files and folders there is, at the same place. */
function bringFiles(folder: string, files: readonly string[]): void {
  for (const file of files)
    if (existsSync(file)) cpSync(file, join(folder, file), { recursive: true, dereference: true });
}

const namedCertificates = (env: NodeJS.ProcessEnv) =>
  ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'CURL_CA_BUNDLE'].flatMap((name) => env[name] ?? []);

function bringApt(folder: string, codename: string): void {
  const sources = readMachineSources(codename);
  // Debootstrap has written its own, which name the release alone.
  if (sources.length > 0) writeFileSync(join(folder, 'etc/apt/sources.list'), formatSources(sources));
  bringFiles(
    folder,
    keyFiles(sources).filter((file) => !existsSync(join(folder, file))),
  );
  const { stdout } = spawnSync('apt-config', ['dump'], { encoding: 'utf8' });
  writeFileSync(join(folder, 'etc/apt/apt.conf.d/90machine'), readAcquire(stdout));
}

async function clone(folder: string): Promise<void> {
  const args = ['clone', '--quiet', '--depth=1', `file://${checkout}`, join(folder, cloneFolder)];
  await runCommand('git', args, { env: inherited });
}
