import { readFileSync } from 'node:fs';

export function sendTo(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process ended meanwhile.
  }
}

/** Stops all processes before killing them, so that none can react to the death of another. */
export function killAtOnce(pids: readonly number[]): void {
  for (const name of ['SIGSTOP', 'SIGKILL'] as const) for (const pid of pids) sendTo(pid, name);
}

/** Counts a zombie as dead, since init may reap it late. */
export function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
