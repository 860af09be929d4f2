import { readFileSync } from 'node:fs';
import { isAlive, markOf } from './lock.mjs';

/** Calls `onGone` once npm or the shell between is gone, because npm cannot pass a SIGKILL on. */
export function watchNpm(onGone) {
  const watched = [process.ppid, ...npmAbove(process.ppid)].map((pid) => ({ pid, mark: markOf(pid) }));
  setInterval(() => watched.every(isAlive) || onGone(), 500).unref();
}

function npmAbove(pid) {
  try {
    const parent = Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
    return readFileSync(`/proc/${parent}/comm`, 'utf8').startsWith('npm') ? [parent] : [];
  } catch {
    return [];
  }
}
