export function sendTo(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended meanwhile.
  }
}

/** None of them sees another one die: all are stopped first. */
export function killAtOnce(pids: readonly number[]): void {
  for (const name of ['SIGSTOP', 'SIGKILL'] as const) for (const pid of pids) sendTo(pid, name);
}
