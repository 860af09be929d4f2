import { readFileSync } from 'node:fs';
import { descendantsOf } from '../processes.mjs';

const ticksPerSecond = 100;

/** The CPU time in seconds of a process and its descendants, including ended ones; 0 if unknown. */
export function cpuSeconds(root: number): number {
  const tree = [root, ...descendantsOf([root]).map(({ pid }) => pid)];
  return tree.reduce((total, pid) => total + readTicks(pid), 0) / ticksPerSecond;
}

/** The user and system time of a process and of its ended children: fields 14 to 17 of proc(5). */
function readTicks(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((total, field) => total + Number(field), 0);
  } catch {
    // The process has ended meanwhile.
    return 0;
  }
}
