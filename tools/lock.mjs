import { spawnSync } from 'node:child_process';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const linux = process.platform === 'linux';
const boot = linux ? readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() : '';

/** Distinguishes a process from others with the same pid by its start time; undefined if no process has this pid. */
export function markOf(pid) {
  if (!linux)
    return spawnSync('ps', ['-o', 'lstart=', '-p', `${pid}`], { encoding: 'utf8' }).stdout.trim() || undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' || state === 'X' ? undefined : `${boot}/${fields[18]}`;
  } catch {
    return undefined;
  }
}

export const thisProcess = () => ({ pid: process.pid, mark: markOf(process.pid) });

export const isAlive = ({ pid, mark }) => mark !== undefined && markOf(pid) === mark;

/** Reads a lock or pid file; undefined if it is missing or unreadable. */
export function readOwner(file) {
  try {
    const owner = JSON.parse(readFileSync(file, 'utf8'));
    return Number.isInteger(owner?.pid) ? owner : undefined;
  } catch {
    return undefined;
  }
}

/** Takes the lock and returns undefined, or returns the living process that has it. */
export function claim(file, facts = {}) {
  mkdirSync(dirname(file), { recursive: true });
  const own = `${file}.${process.pid}`;
  writeFileSync(own, JSON.stringify({ ...facts, ...thisProcess() }), { mode: 0o600 });
  try {
    for (;;) {
      if (link(own, file)) return undefined;
      const owner = readOwner(file);
      if (owner && isAlive(owner)) return owner;
      removeStale(file);
    }
  } finally {
    rmSync(own, { force: true });
  }
}

export function release(file) {
  if (readOwner(file)?.pid === process.pid) rmSync(file, { force: true });
}

/** Runs `work` while no other process does under the same lock. */
export async function withLock(file, work, { onWait, signal } = {}) {
  for (let waited = false; claim(file) !== undefined; waited = true) {
    if (!waited) onWait?.();
    signal?.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  try {
    return await work();
  } finally {
    release(file);
  }
}

// link() never shows a half-written lock, and never replaces one.
function link(from, to) {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

// Another process may replace a stale lock by its own between our read and our removal: then its lock is restored.
function removeStale(file) {
  const aside = `${file}.${process.pid}.stale`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  const owner = readOwner(aside);
  if (owner && isAlive(owner)) link(aside, file);
  rmSync(aside);
}
