// `node tools/run.mjs <name> [args]` runs tools/<name>/main.ts on a machine that has only Node and npm.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { withLock } from './lock.mjs';
import { watchInstall } from './progress.mjs';
import { Reaper } from './reaper.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [name, ...args] = process.argv.slice(2);

/** A reaper cleans up after these tools; the others stop their processes themselves. */
const isTrial = ['attack', 'bench', 'chaos', 'clicks', 'ends', 'fleet', 'hosts', 'seed'].includes(name);

const isOwn = (id) => /^(\.|\/|@vigie\/|@oxc-project\/)/.test(id);

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
const program = await bundle();
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

/** Writes one file and renames it, so that parallel runs never see an incomplete bundle. */
async function bundle() {
  const { rolldown } = await import('rolldown');
  const resolve = { conditionNames: ['@vigie/source', 'node'] };
  const tsconfig = join(root, 'tsconfig.base.json');
  const input = join(root, `tools/${name}/main.ts`);
  const external = (id) => !isOwn(id);
  const moduleTypes = { '.sh': 'text', '.php': 'text' };
  // A tool may import a file of a service for one name; it must not load the framework, which takes a second.
  const treeshake = { moduleSideEffects: [{ test: /^@nestjs\/typeorm$/, sideEffects: false }] };
  const build = await rolldown({
    input,
    platform: 'node',
    tsconfig,
    external,
    resolve,
    moduleTypes,
    treeshake,
    cwd: root,
  });
  const { output } = await build.generate({
    format: 'esm',
    sourcemap: 'inline',
    keepNames: true,
    codeSplitting: false,
  });
  const file = join(root, `dist/tools/${name}/main.js`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.${process.pid}`, output[0].code);
  renameSync(`${file}.${process.pid}`, file);
  return file;
}

function stop(sentence) {
  console.error(sentence);
  process.exit(1);
}
