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

/** An interrupt is over within ten seconds: these for the tool itself, and these for what it leaves. */
const [toolMs, leftMs] = [3_000, 1_500];
/** What does not end by SIGKILL waits for a device. */
const giveUpMs = 8_000;
const lookEachMs = 100;
/** So many at once. */
const removals = 16;
const folderName = 'vigie-run-';
/** Says in a folder whose it is. */
const ownerName = 'run.json';

/**
 * Runs a tool in a process of its own and, however that ends, ends all that it has started and removes all that it has
 * made. It is asked to stop by a signal and by the death of npm. The temporary folder that the tool is given is the mark
 * by which everything is found again; what a killed reaper could not end, the next one does.
 */
export class Reaper {
  #folder;
  #tool;
  #ending;
  #clearing;

  constructor() {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => this.#interrupt(signal, signal));
    if (process.env.npm_lifecycle_event !== undefined) watchNpm(() => this.#interrupt('SIGTERM', 'npm a disparu'));
    // Whoever read what is printed may be gone before.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  }

  /** Once it is asked to stop, the end of all: this process with it. */
  get ending() {
    return this.#ending;
  }

  /** Gives the exit code of the tool; once it is asked to stop it does not come back. */
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
    const known = marked(descendantsOf([process.pid]));
    this.#tool?.child.kill('SIGTERM');
    const isOver = await Promise.race([this.#tool?.ended ?? 0, sleep(toolMs)]);
    // It may have to wait until packages are whole, and then put back what it changed for that.
    if (isOver === undefined && !isInstalling(descendantsOf([process.pid]))) this.#tool.child.kill('SIGKILL');
    await this.#tool?.ended;
    await this.#clear(known);
    print('Tout est arrêté.');
    process.exit(code);
  }

  /** Also an interrupt that comes while the end is under way waits for it. */
  #clear(known, tell) {
    this.#clearing ??= endProcesses(this.#folder, known, tell).then(() => this.#folder && removeAll(this.#folder));
    return this.#clearing;
  }
}

function openFolder() {
  const folder = mkdtempSync(join(tmpdir(), folderName));
  // Servers that run as another user pass through it.
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

/** What killed reapers have left: their processes end, and their folders go. */
async function sweepAbandoned() {
  for (const name of readdirSync(tmpdir()).filter((one) => one.startsWith(folderName))) {
    const folder = join(tmpdir(), name);
    // Another user's says nothing that can be believed.
    if (lstatSync(folder, { throwIfNoEntry: false })?.uid !== process.getuid?.()) continue;
    const owner = readOwner(join(folder, ownerName));
    if (!owner || isAlive(owner)) continue;
    print(`Retire ce qu’une exécution interrompue a laissé dans ${folder}…`);
    await endProcesses(folder, []);
    await removeAll(folder);
  }
}

/** Asks those that are left to end, then makes them; packages are never left half-installed. */
async function endProcesses(folder, known, tell) {
  const lateAt = performance.now() + leftMs;
  const asked = new Set();
  let isTold = false;
  for (;;) {
    const left = membersOf(folder, known);
    if (left.length === 0) return;
    if (asked.size === 0) tell?.(left.map(nameOf));
    const spared = packagesAmong(left);
    if (spared.size > 0 && !isTold) print('Attend que l’installation de paquets soit entière…');
    isTold ||= spared.size > 0;
    const others = left.filter(({ pid }) => !spared.has(pid));
    if (performance.now() < lateAt) askToEnd(others, asked);
    else if (spared.size > 0 || performance.now() < lateAt + giveUpMs) kill(others);
    else return print(`Ne s’arrête pas\u00a0: ${left.map(nameOf).join(', ')}.`);
    await sleep(lookEachMs);
  }
}

const nameOf = ({ pid, name }) => `${name} (${pid})`;

/** Each once. PostgreSQL waits for whoever is connected at a SIGTERM. */
function askToEnd(processes, asked) {
  for (const { pid, name } of processes) {
    if (!asked.has(pid)) send(pid, name === 'postgres' ? 'SIGINT' : 'SIGTERM');
    asked.add(pid);
  }
}

function kill(processes) {
  const memory = processes.flatMap(({ pid }) => sharedMemoryOf(pid));
  for (const { pid } of processes) send(pid, 'SIGKILL');
  for (const file of memory) rmSync(file, { force: true });
}

function membersOf(folder, known) {
  const all = listProcesses();
  const old = known.filter(isAlive);
  const first = [...old, ...(folder ? processesIn([folder, ...elsewhereOf(folder)], all) : [])];
  const every = [...first, ...descendantsOf([process.pid, ...first.map(({ pid }) => pid)], all)];
  return [...new Map(every.map((one) => [one.pid, one])).values()];
}

const isInstalling = (processes) => processes.some(({ name }) => name === 'dpkg');

/** Who installs packages, once they are being unpacked, and all that this starts. */
function packagesAmong(left) {
  if (!isInstalling(left)) return new Set();
  const own = left.filter(({ name }) => /^(apt|dpkg)/.test(name)).map(({ pid }) => pid);
  return new Set([...own, ...descendantsOf(own).map(({ pid }) => pid)]);
}

function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended meanwhile.
  }
}

/** The folder with what is mounted below it, and what was noted in it because it had to be made elsewhere. */
async function removeAll(folder) {
  for (const place of [...elsewhereOf(folder), folder]) {
    for (const point of mountsIn(place)) spawnSync('umount', ['-l', point]);
    const parts = partsOf(place);
    const shares = Array.from({ length: removals }, (_, at) => parts.filter((_part, n) => n % removals === at));
    await Promise.all(shares.map(remove));
    await remove([place]);
    if (existsSync(place)) rmSync(place, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** A disk that is told of each block that is free takes minutes for fifty sites one after the other, at once seconds. */
function partsOf(folder) {
  for (let parts = [folder]; ; ) {
    const below = parts.flatMap(foldersIn);
    if (below.length === 0 || parts.length >= removals) return parts;
    parts = below;
  }
}

function foldersIn(folder) {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
  } catch {
    // It is gone meanwhile.
    return [];
  }
}

function remove(places) {
  const removal = spawn('rm', ['-rf', '--', ...places], { stdio: 'ignore' });
  return new Promise((resolve) => removal.once('error', resolve).once('exit', resolve));
}

/** The folders that a run has made in other places. */
function elsewhereOf(folder) {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => name.startsWith('elsewhere-')).map((name) => readlinkSync(join(folder, name)));
}

/** On the second stream: the first may be what another program reads. */
const print = (line) => console.error(line);
