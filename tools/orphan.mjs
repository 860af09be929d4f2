import { readFileSync } from 'node:fs';
import { isAlive, markOf } from './lock.mjs';

/** Calls `tell` once npm, or the shell that it put in between, is gone: a kill -9 cannot be passed on. */
export function watchNpm(tell) {
  const watched = [process.ppid, ...npmAbove(process.ppid)].map((pid) => ({ pid, mark: markOf(pid) }));
  setInterval(() => watched.every(isAlive) || tell(), 500).unref();
}

function npmAbove(pid) {
  try {
    const parent = Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
    return readFileSync(`/proc/${parent}/comm`, 'utf8').startsWith('npm') ? [parent] : [];
  } catch {
    return [];
  }
}
