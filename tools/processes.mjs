import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { markOf } from './lock.mjs';

/** Lists all processes except zombies; none on a system without /proc. */
export function listProcesses() {
  return pidsOf('/proc').flatMap((pid) => {
    const stat = read(`/proc/${pid}/stat`);
    const [state = 'X', parent, , , terminal] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    return 'ZX'.includes(state) ? [] : [{ pid, name, parent: Number(parent), terminal: Number(terminal) }];
  });
}

/** Lists the descendants of these processes, except those whose parent has ended. */
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
 * Lists the processes that use one of these folders: in their environment, command line, working folder or open files. The
 * environment alone is not enough, because many servers overwrite it and SSH sessions have their own. This process and its
 * ancestors do not count, nor do processes of other terminals, such as an editor with a file of the folder.
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

/** The process itself, its parent, and so on. */
function ancestorsOf(pid, all) {
  const found = [];
  for (let one = all.find((each) => each.pid === pid); one; one = all.find((each) => each.pid === one.parent)) {
    found.push(one);
  }
  return found;
}

/** Adds a mark that distinguishes each process from a later one with the same pid. */
export const marked = (processes) => processes.map((one) => ({ ...one, mark: markOf(one.pid) }));

/** A killed PostgreSQL leaves its shared memory files behind. */
export const sharedMemoryOf = (pid) => read(`/proc/${pid}/maps`).match(/\/dev\/shm\/PostgreSQL\.\d+/g) ?? [];

/** Lists the mounts below a folder, innermost first. */
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
