import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { withLock } from '../lock.mjs';
import { type Log, Refusal, fr, seconds } from '../terminal';
import { CommandError, runCommand } from './command';
import { root } from './env';
import { databaseServices, services } from './services';

const dist = join(root, 'dist');
const stamp = join(dist, 'built.sha256');
const inputs = [
  'apps',
  'libs',
  'package-lock.json',
  'tsconfig.base.json',
  'rolldown.config.mjs',
  'tools/light-bundle.mjs',
  'nx.json',
];
const ignoredNames = new Set(['node_modules', 'e2e', 'dist']);
const nxEnv = { NX_DAEMON: 'false', NX_ISOLATE_PLUGINS: 'false', NX_TUI: 'false', NO_COLOR: '1' };

/** The programs of the services, their migrations, the command line, and the web app. */
const outputs = [
  ...services.map((app) => join(dist, app, 'main.js')),
  ...databaseServices.map((app) => join(dist, app, 'migrate.js')),
  join(dist, 'cli/vigie'),
  join(dist, 'web/index.html'),
];

/**
 * Builds if sources have changed. Otherwise it must not run nx, which would rewrite files that a running product may use.
 */
export async function build(log: Log, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<void> {
  const onWait = () => log(fr`Attend la fin d’une autre construction…`);
  await withLock(join(dist, 'build.lock'), () => buildIfStale(log, env), { onWait, signal });
}

/** Forces the next build, after something else has written to `dist`. */
export const forgetBuild = () => rmSync(stamp, { force: true });

async function buildIfStale(log: Log, env: NodeJS.ProcessEnv): Promise<void> {
  const hash = fingerprint();
  if (isBuilt(hash)) return;
  log(fr`Construit les services et l’interface…`);
  const startedAt = performance.now();
  forgetBuild();
  await runNx([], env);
  // The cache of nx does not notice that outputs were removed.
  if (!haveOutputs()) await runNx(['--skip-nx-cache'], env);
  if (!haveOutputs())
    throw new Refusal(fr`La construction n’a pas donné ${outputs.filter((file) => !existsSync(file)).join(', ')}.`);
  writeFileSync(stamp, hash);
  log(fr`Services et interface construits (${seconds(performance.now() - startedAt)}).`);
}

async function runNx(options: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const nx = join(root, 'node_modules/.bin/nx');
  const args = ['run-many', '-t', 'build', '--output-style=stream', ...options];
  await runCommand(nx, args, { cwd: root, env: { ...env, ...nxEnv } }).catch((error: unknown) => {
    if (!(error instanceof CommandError)) throw error;
    throw new Refusal(fr`${error.printed.trim()}\nLa construction a échoué ; les messages sont au-dessus.`);
  });
}

const haveOutputs = () => outputs.every((file) => existsSync(file));
const isBuilt = (hash: string) => haveOutputs() && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;

function fingerprint(): string {
  const hash = createHash('sha256').update(process.version);
  for (const input of inputs) hashPath(hash, input);
  return hash.digest('hex');
}

function hashPath(hash: ReturnType<typeof createHash>, path: string): void {
  const full = join(root, path);
  if (ignoredNames.has(basename(path)) || path.endsWith('.spec.ts') || !existsSync(full)) return;
  try {
    for (const name of readdirSync(full).sort()) hashPath(hash, join(path, name));
  } catch {
    hash.update(`${path}\0`).update(readFileSync(full)).update('\0');
  }
}
