import { readFileSync } from 'node:fs';

/** Reads a file below /proc; empty if the process ended, belongs to another user, or there is no /proc. */
export function readProc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return '';
  }
}

/** The CPU time of all processes since the machine started, at a hundred ticks per second. */
export function busyMs(): number {
  const [line = ''] = readProc('stat').split('\n');
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = line.split(/\s+/).slice(1).map(Number);
  return (user + nice + system + irq + softirq + steal) * 10;
}

/** The resident memory of a process, including shared pages; undefined if it ended. */
export function residentMegabytes(pid: number): number | undefined {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readProc(`${pid}/status`)) ?? [];
  return kibibytes === undefined ? undefined : Number(kibibytes) / 1024;
}

/** The user and system time of a process and of its ended children: fields 14 to 17 of proc(5). */
export function processorMsOf(pid: number): number {
  const stat = readProc(`${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((total, field) => total + Number(field), 0) * 10;
}
