import { type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hostCommand, isOnHost, onHost } from '../host-root';
import { hostUnavailableReason } from '../sshd';

/** Packages of Debian and Ubuntu; MariaDB's has no service. */
export const fleetPackages = [
  'php-cli',
  'php-fpm',
  'php-mysql',
  'php-xml',
  'php-mbstring',
  'php-curl',
  'php-zip',
  'php-gd',
  'mariadb-server-core',
  'mariadb-client',
  'nginx',
];

export type Owner = { name: string; uid: number; gid: number };
/** The user that logs in by SSH and owns most sites. */
export const deploy: Owner = { name: 'deploy', uid: 64_001, gid: 64_001 };
export const www: Owner = { name: 'www-data', uid: 33, gid: 33 };
export const database: Owner = { name: 'database', uid: 64_002, gid: 64_002 };

const folders = ['/usr/sbin', '/usr/bin', '/sbin', '/bin'];

function findProgram(name: string): string | undefined {
  return folders.map((folder) => join(folder, name)).find((file) => isOnHost(file));
}

/** Debian includes the version in the name of php-fpm. */
export function findFpm(): string | undefined {
  const name = readdirSync(onHost('/usr/sbin')).find((file) => /^php-fpm\d+\.\d+$/.test(file));
  return name === undefined ? undefined : join('/usr/sbin', name);
}

/** Why this machine cannot run a fleet, as the end of a French sentence; undefined when it can. */
export function fleetUnavailableReason(): string | undefined {
  if (process.getuid?.() !== 0) return 'seul root peut donner des sites à plusieurs utilisateurs';
  const missing = ['php', 'mariadbd', 'mariadb', 'mariadb-dump', 'nginx', 'setpriv'].find((name) => !findProgram(name));
  if (missing !== undefined) return `${missing} n’est pas installé`;
  if (!findFpm()) return 'php-fpm n’est pas installé';
  if (!findProgram('dpkg-deb')) return 'dpkg-deb manque, donc ce n’est ni Debian ni Ubuntu';
  const extension = missingExtension();
  return extension === undefined ? hostUnavailableReason() : `l’extension ${extension} de PHP n’est pas installée`;
}

type Body = () => void | Promise<void>;
type Runner = ((name: string, body: Body) => void) & { skip: (name: string, body: Body) => void };

/** Wraps `describe` or `it`: skips the test with a reason when this machine cannot run a fleet. */
export function onFleet(runner: Runner): (name: string, body: Body) => void {
  const reason = fleetUnavailableReason();
  return reason === undefined ? runner : (name, body) => runner.skip(`${name} (${reason})`, body);
}

function missingExtension(): string | undefined {
  const { stdout } = spawnSync(...hostCommand('php', ['-m']), { encoding: 'utf8' });
  return ['mysqli', 'dom', 'mbstring', 'curl', 'zip', 'gd'].find((name) => !stdout.split('\n').includes(name));
}

/** The folder of the checkout, found from this file or from a bundle. */
export const checkout = findCheckout(dirname(fileURLToPath(import.meta.url)));

function findCheckout(folder: string): string {
  return existsSync(join(folder, 'nx.json')) ? folder : findCheckout(dirname(folder));
}

type RunOptions = Pick<SpawnOptions, 'cwd' | 'env'> & { input?: string; as?: Owner };

export const runOnHost = (file: string, args: readonly string[], { as, ...options }: RunOptions = {}) =>
  run(...hostCommand(file, args, as), options);

/** Runs a command and returns its output; throws with its output when it fails. */
export async function run(
  file: string,
  args: readonly string[],
  { input = '', as, ...options }: RunOptions = {},
): Promise<string> {
  const env = { PATH: folders.join(':'), LC_ALL: 'C.UTF-8', HOME: '/nonexistent' };
  const child = spawn(file, args, { env, ...options, ...(as && { uid: as.uid, gid: as.gid }) });
  const errors: Buffer[] = [];
  const printed: Buffer[] = [];
  child.stdout.on('data', (bytes: Buffer) => printed.push(bytes));
  child.stderr.on('data', (bytes: Buffer) => errors.push(bytes));
  child.stdin.on('error', () => {}).end(input);
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  const output = Buffer.concat(printed).toString();
  if (code === 0) return output;
  throw new CommandError(file, code, output, Buffer.concat(errors).toString());
}

export class CommandError extends Error {
  constructor(
    file: string,
    code: unknown,
    readonly output: string,
    errors: string,
  ) {
    super(`${file} ended with ${String(code)}: ${output.slice(-2000)}${errors.slice(-4000)}`);
  }
}
