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

/** The clone is in root's home folder. */
export const cloneFolder = '/root/vigie';

/** The variables for proxies, certificates and npm's registry. */
const passedVariables =
  /^((https?|no|all)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|CURL_CA_BUNDLE|NPM_CONFIG_\w+)$/i;
const certificates = ['/etc/ssl/certs/ca-certificates.crt', '/usr/local/share/ca-certificates'];

/** The environment of a fresh login, with the proxy and certificate settings of this machine, but no npm_* variables. */
export function environmentOf(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const settings = Object.entries(env).filter(([name]) => passedVariables.test(name) && !name.startsWith('npm_'));
  const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
  // Port 0 picks a free port, because the Debian shares the network of this machine.
  return { ...Object.fromEntries(settings), PATH: path, HOME: '/root', USER: 'root', LANG: 'C.UTF-8', PORT: '0' };
}

/** Returns this machine's apt sources for the release `codename`; none if the machine has no codename. */
export function readMachineSources(codename: string): AptSource[] {
  const ownCodename = /^VERSION_CODENAME=(\S+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
  if (ownCodename === undefined) return [];
  const folder = '/etc/apt/sources.list.d';
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => /\.(list|sources)$/.test(name)) : [];
  const files = ['/etc/apt/sources.list', ...names.map((name) => join(folder, name))].filter((file) =>
    existsSync(file),
  );
  return adaptSources(
    files.flatMap((file) => readSources(file, readFileSync(file, 'utf8'))),
    ownCodename,
    codename,
  );
}

/** Gives a fresh Debian what the README requires, and the network settings to reach packages; nothing else. */
export async function prepareDebian(folder: string, codename: string): Promise<void> {
  copyNode(folder);
  copyNetworkSettings(folder, codename);
  await clone(folder);
}

/** Copies this machine's name resolution, certificates and apt settings, so that the Debian can reach its packages. */
export function copyNetworkSettings(folder: string, codename: string): void {
  copyFiles(folder, ['/etc/resolv.conf', '/etc/hosts', ...certificates, ...namedCertificates(inherited)]);
  copyAptSettings(folder, codename);
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
  for (const [name, target] of Object.entries(settings)) {
    const file = spawnSync('npm', ['config', 'get', name], { encoding: 'utf8', cwd: '/' }).stdout.trim();
    if (existsSync(file)) cpSync(file, join(folder, target));
  }
}

/** Copies those of these files and folders that exist to the same path. */
function copyFiles(folder: string, files: readonly string[]): void {
  for (const file of files)
    if (existsSync(file)) cpSync(file, join(folder, file), { recursive: true, dereference: true });
}

const namedCertificates = (env: NodeJS.ProcessEnv) =>
  ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'CURL_CA_BUNDLE'].flatMap((name) => env[name] ?? []);

function copyAptSettings(folder: string, codename: string): void {
  const sources = readMachineSources(codename);
  // The sources that debootstrap wrote lack updates and security.
  if (sources.length > 0) writeFileSync(join(folder, 'etc/apt/sources.list'), formatSources(sources));
  copyFiles(
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
