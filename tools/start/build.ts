import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { alone } from '../lock.mjs';
import { type Log, Refusal, fr, seconds } from '../terminal';
import { CommandError, runCommand } from './command';
import { root } from './env';
import { databaseServices, services } from './services';

const dist = join(root, 'dist');
const stamp = join(dist, 'built.sha256');
const inputs = ['apps', 'libs', 'package-lock.json', 'tsconfig.base.json', 'rolldown.config.mjs', 'nx.json'];
const notInputs = new Set(['node_modules', 'e2e', 'dist']);
const nxEnv = { NX_DAEMON: 'false', NX_ISOLATE_PLUGINS: 'false', NX_TUI: 'false', NO_COLOR: '1' };

/** The services' programs, their migrations, and the web app. */
const outputs = [
  ...services.map((app) => join(dist, app, 'main.js')),
  ...databaseServices.map((app) => join(dist, app, 'migrate.js')),
  join(dist, 'web/index.html'),
];

/**
 * Builds what changed. When nothing did, nothing is touched: another product may be running from the same files, which
 * nx would put anew.
 */
export async function build(log: Log, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<void> {
  const onWait = () => log(fr`Attend la fin d’une autre construction…`);
  await alone(join(dist, 'build.lock'), () => buildIfStale(log, env), { onWait, signal });
}

/** For whoever writes to `dist` by another way. */
export const forgetBuild = () => rmSync(stamp, { force: true });

async function buildIfStale(log: Log, env: NodeJS.ProcessEnv): Promise<void> {
  const wanted = fingerprint();
  if (isBuilt(wanted)) return;
  log(fr`Construit les services et l’interface…`);
  const since = performance.now();
  forgetBuild();
  await runNx([], env);
  // Its cache knows of runs, not of files that were removed since.
  if (!areThere()) await runNx(['--skip-nx-cache'], env);
  if (!areThere())
    throw new Refusal(fr`La construction n’a pas donné ${outputs.filter((file) => !existsSync(file)).join(', ')}.`);
  writeFileSync(stamp, wanted);
  log(fr`Services et interface construits (${seconds(performance.now() - since)}).`);
}

async function runNx(options: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const nx = join(root, 'node_modules/.bin/nx');
  const args = ['run-many', '-t', 'build', '--output-style=stream', ...options];
  await runCommand(nx, args, { cwd: root, env: { ...env, ...nxEnv } }).catch((error: unknown) => {
    if (!(error instanceof CommandError)) throw error;
    throw new Refusal(fr`${error.printed.trim()}\nLa construction a échoué ; les messages sont au-dessus.`);
  });
}

const areThere = () => outputs.every((file) => existsSync(file));
const isBuilt = (wanted: string) => areThere() && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;

/** Of everything that the build reads. */
function fingerprint(): string {
  const hash = createHash('sha256').update(process.version);
  for (const input of inputs) addTo(hash, input);
  return hash.digest('hex');
}

function addTo(hash: ReturnType<typeof createHash>, path: string): void {
  const full = join(root, path);
  if (notInputs.has(basename(path)) || path.endsWith('.spec.ts') || !existsSync(full)) return;
  try {
    for (const name of readdirSync(full).sort()) addTo(hash, join(path, name));
  } catch {
    hash.update(`${path}\0`).update(readFileSync(full)).update('\0');
  }
}
