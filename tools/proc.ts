import { readFileSync } from 'node:fs';

/** Empty where the process ended, is another user's, or the system does not say. */
export function readProc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return '';
  }
}

/** Of all processes of the machine since it started, its processors together; a hundred ticks a second. */
export function busyMs(): number {
  const [line = ''] = readProc('stat').split('\n');
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = line.split(/\s+/).slice(1).map(Number);
  return (user + nice + system + irq + softirq + steal) * 10;
}

/** What a process has in memory, what it shares included; undefined where it ended. */
export function residentMegabytes(pid: number): number | undefined {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readProc(`${pid}/status`)) ?? [];
  return kibibytes === undefined ? undefined : Number(kibibytes) / 1024;
}
