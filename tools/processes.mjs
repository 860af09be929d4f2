import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { markOf } from './lock.mjs';

/** Every process of the machine but zombies; none on a system without /proc. */
export function listProcesses() {
  return pidsOf('/proc').flatMap((pid) => {
    const stat = read(`/proc/${pid}/stat`);
    const [state = 'X', parent, , , terminal] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    return 'ZX'.includes(state) ? [] : [{ pid, name, parent: Number(parent), terminal: Number(terminal) }];
  });
}

/** What these processes started, and what that started, as far as nobody in between has ended. */
export function descendantsOf(pids, all = listProcesses()) {
  const found = [];
  for (let parents = new Set(pids); parents.size > 0; ) {
    const children = all.filter(({ parent }) => parents.has(parent));
    found.push(...children);
    parents = new Set(children.map(({ pid }) => pid));
  }
  return found;
}

/**
 * The processes that have to do with one of these folders: it is in their environment, on their command line, the place in
 * which they work or where a file is that they hold open. Many servers overwrite their environment, and what a session of
 * SSH starts has one of its own. Neither this process and those above it count, nor somebody who looks at a file there from
 * another terminal.
 */
export function processesIn(folders, all = listProcesses()) {
  const above = ancestorsOf(process.pid, all);
  const own = above[0]?.terminal;
  const isIn = (text) => folders.some((folder) => text.includes(folder));
  return all.filter(({ pid, terminal }) => {
    if (above.some((one) => one.pid === pid)) return false;
    if (isIn(read(`/proc/${pid}/environ`))) return true;
    if (terminal !== 0 && terminal !== own) return false;
    if (isIn(read(`/proc/${pid}/cmdline`)) || isIn(link(`/proc/${pid}/cwd`))) return true;
    return pidsOf(`/proc/${pid}/fd`).some((fd) => isIn(link(`/proc/${pid}/fd/${fd}`)));
  });
}

/** The process itself, whoever started it, and so on. */
function ancestorsOf(pid, all) {
  const found = [];
  for (let one = all.find((each) => each.pid === pid); one; one = all.find((each) => each.pid === one.parent)) {
    found.push(one);
  }
  return found;
}

/** By which each can be told from a later one that has its number. */
export const marked = (processes) => processes.map((one) => ({ ...one, mark: markOf(one.pid) }));

/** PostgreSQL leaves what it shares between its processes in memory when it is killed. */
export const sharedMemoryOf = (pid) => read(`/proc/${pid}/maps`).match(/\/dev\/shm\/PostgreSQL\.\d+/g) ?? [];

/** The mounts below a folder that this process sees, the innermost first. */
export function mountsIn(folder) {
  const points = read('/proc/self/mountinfo')
    .split('\n')
    .map((line) => line.split(' ')[4] ?? '');
  return points.filter((point) => point.startsWith(`${folder}/`)).toReversed();
}

function pidsOf(folder) {
  try {
    return readdirSync(folder)
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function link(file) {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
}
