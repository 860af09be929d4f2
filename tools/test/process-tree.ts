import { readFileSync } from 'node:fs';
import { descendantsOf } from '../processes.mjs';

const ticksPerSecond = 100;

/** Seconds of CPU that a process, its descendants, and those of them that have ended used; 0 where nobody can tell. */
export function cpuSeconds(root: number): number {
  const tree = [root, ...descendantsOf([root]).map(({ pid }) => pid)];
  return tree.reduce((total, pid) => total + ticksOf(pid), 0) / ticksPerSecond;
}

/** `utime`, `stime`, and the same of the children that it has waited for: fields 14 to 17 of proc(5). */
function ticksOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((total, field) => total + Number(field), 0);
  } catch {
    // It ended meanwhile.
    return 0;
  }
}
