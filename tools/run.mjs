// `node tools/run.mjs <name> [args]` runs tools/<name>/main.ts on a machine that has only Node and npm.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { withLock } from './lock.mjs';
import { watchInstall } from './progress.mjs';
import { Reaper } from './reaper.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [name, ...args] = process.argv.slice(2);

/** A reaper cleans up after these tools; the others stop their processes themselves. */
const isTrial = ['attack', 'bench', 'chaos', 'clicks', 'ends', 'fleet', 'hosts', 'lookout', 'seed'].includes(name);

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19))
  stop(`Vigie demande Node 20.19 ou plus récent\u00a0; celui-ci est ${process.version}.`);
if (!/^[a-z]+$/.test(name ?? '') || !existsSync(join(root, `tools/${name}/main.ts`)))
  stop(`Outil inconnu\u00a0: ${name ?? ''}`);

const reaper = isTrial ? new Reaper() : undefined;
const onWait = () => console.log('Attend la fin d’une autre installation des dépendances…');
if (!isInstalled()) {
  await withLock(join(root, 'dist/tools/install.lock'), install, { onWait }).catch(async (error) => {
    await reaper?.ending;
    stop(error.message);
  });
}
const program = bundle();
if (reaper) process.exit(await reaper.run(program, args));
process.argv = [process.execPath, program, ...args];
process.setSourceMapsEnabled(true);
await import(pathToFileURL(process.argv[1]).href);

/** npm writes its own lockfile in node_modules last, so it reveals a missing, stale or incomplete installation. */
function isInstalled() {
  try {
    const locked = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
    const installed = JSON.parse(readFileSync(join(root, 'node_modules/.package-lock.json'), 'utf8')).packages;
    return Object.entries(locked).every(([path, { version, integrity, optional, devOptional, extraneous }]) => {
      const own = installed[path];
      if (own === undefined) return path === '' || optional || devOptional || extraneous;
      return own.version === version && own.integrity === integrity && existsSync(join(root, path, 'package.json'));
    });
  } catch {
    return false;
  }
}

async function install() {
  if (isInstalled()) return;
  console.log('Installe les dépendances verrouillées (npm ci)…');
  const since = Date.now();
  const npm = spawn('npm', ['ci', '--no-audit', '--no-fund', '--include=dev', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const stopWatch = watchInstall(root, console.log);
  const pass = (signal) => npm.kill(signal);
  process.on('SIGINT', pass).on('SIGTERM', pass);
  const code = await new Promise((resolve) => npm.once('error', () => resolve(1)).once('exit', resolve));
  stopWatch();
  process.off('SIGINT', pass).off('SIGTERM', pass);
  if (code !== 0) throw new Error('L’installation des dépendances a échoué\u00a0; le message de npm est au-dessus.');
  console.log(`Dépendances installées en ${Math.round((Date.now() - since) / 1000)}\u00a0s.`);
}

/** Another process bundles, because the bundler would stay in the memory of a starter that runs for months. */
function bundle() {
  const { status } = spawnSync(process.execPath, [join(root, 'tools/bundle.mjs'), name], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  return join(root, `dist/tools/${name}/main.js`);
}

function stop(sentence) {
  console.error(sentence);
  process.exit(1);
}
