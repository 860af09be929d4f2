import { readFileSync } from 'node:fs';
import { type Mark, isAlive, markOf } from '../lock.mjs';

/** Calls `tell` once npm, or the shell that it put in between, is gone: a kill -9 cannot be passed on. */
export function watchNpm(tell: () => void): void {
  const watched = [process.ppid, ...npmAbove(process.ppid)].map((pid): Mark => ({ pid, mark: markOf(pid) }));
  setInterval(() => watched.every(isAlive) || tell(), 500).unref();
}

function npmAbove(pid: number): number[] {
  try {
    const parent = Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
    return readFileSync(`/proc/${parent}/comm`, 'utf8').startsWith('npm') ? [parent] : [];
  } catch {
    return [];
  }
}
