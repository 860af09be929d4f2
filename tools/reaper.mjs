import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, readOwner, thisProcess } from './lock.mjs';
import { watchNpm } from './orphan.mjs';
import { descendantsOf, listProcesses, marked, mountsIn, processesIn, sharedMemoryOf } from './processes.mjs';

/** The grace of the tool and of the processes that it leaves; an interrupt must be over within ten seconds. */
const [toolMs, leftoverMs] = [3_000, 1_500];
/** A process that survives SIGKILL this long is waiting for a device. */
const giveUpMs = 8_000;
const pollMs = 100;
const maxRemovals = 16;
const folderName = 'vigie-run-';
/** The file that names the owner of a folder. */
const ownerName = 'run.json';

/**
 * Runs a tool in a process of its own and, however it ends, ends its remaining processes and removes its files. A signal or
 * the death of npm stops it. The tool's temporary folder identifies its processes and files; the next reaper cleans up
 * after a killed one.
 */
export class Reaper {
  #folder;
  #tool;
  #ending;
  #clearing;

  constructor() {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => this.#interrupt(signal, signal));
    if (process.env.npm_lifecycle_event !== undefined) watchNpm(() => this.#interrupt('SIGTERM', 'npm a disparu'));
    // The process that reads the output may have ended already.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  }

  /** A promise of the end of everything, including this process; undefined until an interrupt. */
  get ending() {
    return this.#ending;
  }

  /** Resolves to the exit code of the tool; never resolves after an interrupt. */
  async run(file, args) {
    await sweepAbandoned();
    await this.#ending;
    this.#folder = openFolder();
    const own = [process.execPath, '--enable-source-maps', file, ...args];
    this.#tool = start(own, { ...process.env, TMPDIR: this.#folder });
    const code = await this.#tool.ended;
    await this.#ending;
    await this.#clear([], (names) => print(`Restait à la fin, et a été arrêté\u00a0: ${names.join(', ')}.`));
    return code;
  }

  #interrupt(signal, why) {
    if (this.#ending) return;
    print(`Arrêt demandé (${why})…`);
    this.#ending = this.#end(128 + constants.signals[signal]);
  }

  async #end(code) {
    const descendants = marked(descendantsOf([process.pid]));
    this.#tool?.child.kill('SIGTERM');
    const isOver = await Promise.race([this.#tool?.ended ?? 0, sleep(toolMs)]);
    // A tool that installs packages must finish and then restore what it changed for that.
    if (isOver === undefined && !isInstalling(descendantsOf([process.pid]))) this.#tool.child.kill('SIGKILL');
    await this.#tool?.ended;
    await this.#clear(descendants);
    print('Tout est arrêté.');
    process.exit(code);
  }

  /** Runs once: an interrupt during the clean-up waits for it. */
  #clear(descendants, onLeftovers) {
    this.#clearing ??= endProcesses(this.#folder, descendants, onLeftovers).then(
      () => this.#folder && removeAll(this.#folder),
    );
    return this.#clearing;
  }
}

function openFolder() {
  const folder = mkdtempSync(join(tmpdir(), folderName));
  // Servers that run as another user must be able to enter it.
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, ownerName), JSON.stringify(thisProcess()));
  return folder;
}

function start(command, env) {
  const hasSetpriv = spawnSync('setpriv', ['--help'], { encoding: 'utf8' }).stdout?.includes('--pdeathsig');
  const [file, ...args] = hasSetpriv ? ['setpriv', '--pdeathsig', 'TERM', '--', ...command] : command;
  const child = spawn(file, args, { env, stdio: 'inherit' });
  const ended = new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
  return { child, ended };
}

/** Ends the processes and removes the folders that killed reapers have left. */
async function sweepAbandoned() {
  for (const name of readdirSync(tmpdir()).filter((one) => one.startsWith(folderName))) {
    const folder = join(tmpdir(), name);
    // The owner file of another user cannot be trusted.
    if (lstatSync(folder, { throwIfNoEntry: false })?.uid !== process.getuid?.()) continue;
    const owner = readOwner(join(folder, ownerName));
    if (!owner || isAlive(owner)) continue;
    print(`Retire ce qu’une exécution interrompue a laissé dans ${folder}…`);
    await endProcesses(folder, []);
    await removeAll(folder);
  }
}

/** Sends a signal to the remaining processes, then SIGKILL, but lets package installations finish. */
async function endProcesses(folder, descendants, onLeftovers) {
  const killAt = performance.now() + leftoverMs;
  const signalled = new Set();
  let isWaitPrinted = false;
  for (;;) {
    const remaining = findProcesses(folder, descendants);
    if (remaining.length === 0) return;
    if (signalled.size === 0) onLeftovers?.(remaining.map(nameOf));
    const installers = findInstallers(remaining);
    if (installers.size > 0 && !isWaitPrinted) print('Attend que l’installation de paquets soit entière…');
    isWaitPrinted ||= installers.size > 0;
    const others = remaining.filter(({ pid }) => !installers.has(pid));
    if (performance.now() < killAt) askToEnd(others, signalled);
    else if (installers.size > 0 || performance.now() < killAt + giveUpMs) kill(others);
    else return print(`Ne s’arrête pas\u00a0: ${remaining.map(nameOf).join(', ')}.`);
    await sleep(pollMs);
  }
}

const nameOf = ({ pid, name }) => `${name} (${pid})`;

/** Signals each process once. At a SIGTERM PostgreSQL would wait for its clients, so it gets a SIGINT. */
function askToEnd(processes, signalled) {
  for (const { pid, name } of processes) {
    if (!signalled.has(pid)) send(pid, name === 'postgres' ? 'SIGINT' : 'SIGTERM');
    signalled.add(pid);
  }
}

function kill(processes) {
  const memory = processes.flatMap(({ pid }) => sharedMemoryOf(pid));
  for (const { pid } of processes) send(pid, 'SIGKILL');
  for (const file of memory) rmSync(file, { force: true });
}

function findProcesses(folder, descendants) {
  const all = listProcesses();
  const alive = descendants.filter(isAlive);
  const first = [...alive, ...(folder ? processesIn([folder, ...outsideFolders(folder)], all) : [])];
  const every = [...first, ...descendantsOf([process.pid, ...first.map(({ pid }) => pid)], all)];
  return [...new Map(every.map((one) => [one.pid, one])).values()];
}

const isInstalling = (processes) => processes.some(({ name }) => name === 'dpkg');

/** Finds apt, dpkg and their descendants, once dpkg unpacks packages. */
function findInstallers(processes) {
  if (!isInstalling(processes)) return new Set();
  const installers = processes.filter(({ name }) => /^(apt|dpkg)/.test(name)).map(({ pid }) => pid);
  return new Set([...installers, ...descendantsOf(installers).map(({ pid }) => pid)]);
}

function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended meanwhile.
  }
}

/** Removes the folder, the folders elsewhere that it links to, and what is mounted below them. */
async function removeAll(folder) {
  for (const root of [...outsideFolders(folder), folder]) {
    for (const point of mountsIn(root)) spawnSync('umount', ['-l', point]);
    const parts = splitFolder(root);
    const shares = Array.from({ length: maxRemovals }, (_, at) => parts.filter((_part, n) => n % maxRemovals === at));
    await Promise.all(shares.map(remove));
    await remove([root]);
    if (existsSync(root)) rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Splits a folder for parallel removals: on a disk with TRIM, fifty sites take minutes in sequence, seconds in parallel. */
function splitFolder(folder) {
  for (let parts = [folder]; ; ) {
    const below = parts.flatMap(foldersIn);
    if (below.length === 0 || parts.length >= maxRemovals) return parts;
    parts = below;
  }
}

function foldersIn(folder) {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
  } catch {
    // The folder has been removed meanwhile.
    return [];
  }
}

function remove(folders) {
  const removal = spawn('rm', ['-rf', '--', ...folders], { stdio: 'ignore' });
  return new Promise((resolve) => removal.once('error', resolve).once('exit', resolve));
}

/** The folders that a run has made outside its temporary folder. */
function outsideFolders(folder) {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => name.startsWith('elsewhere-')).map((name) => readlinkSync(join(folder, name)));
}

/** Prints to standard error, because another program may read standard output. */
const print = (line) => console.error(line);
