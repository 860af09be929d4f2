import { readFileSync } from 'node:fs';

export function sendTo(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process ended meanwhile.
  }
}

/**
 * Stops all processes before killing them, so that none can react to the death of another. They are listed until there is
 * no new one, because one that forks meanwhile has a child that an earlier list lacks.
 */
export function killAtOnce(list: () => readonly number[]): void {
  const stopped = new Set<number>();
  const listNew = () => list().filter((pid) => !stopped.has(pid));
  for (let found = listNew(); found.length > 0; found = listNew()) {
    for (const pid of found) {
      stopped.add(pid);
      sendTo(pid, 'SIGSTOP');
    }
  }
  for (const pid of stopped) sendTo(pid, 'SIGKILL');
}

/** Counts a zombie as dead, since init may reap it late. */
export function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
