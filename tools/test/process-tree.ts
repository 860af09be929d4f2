import { readdirSync, readFileSync } from 'node:fs';

const ticksPerSecond = 100;

type Usage = { parent: number; ticks: number };

/** Seconds of CPU that a process, its descendants, and those of them that have ended used; 0 where nobody can tell. */
export function cpuSeconds(root: number): number {
  const usages = readUsages();
  const children = new Map<number, number[]>();
  for (const [pid, { parent }] of usages) children.set(parent, [...(children.get(parent) ?? []), pid]);
  const tree = [root];
  for (const pid of tree) tree.push(...(children.get(pid) ?? []));
  return tree.reduce((total, pid) => total + (usages.get(pid)?.ticks ?? 0), 0) / ticksPerSecond;
}

function readUsages(): Map<number, Usage> {
  const usages = new Map<number, Usage>();
  for (const name of readdirSync('/proc')) {
    const usage = /^\d+$/.test(name) ? readUsage(name) : undefined;
    if (usage) usages.set(Number(name), usage);
  }
  return usages;
}

/** `utime`, `stime`, and the same of the children that it has waited for: fields 14 to 17 of proc(5). */
function readUsage(pid: string): Usage | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((total, field) => total + Number(field), 0);
    return { parent: Number(fields[1]), ticks };
  } catch {
    return undefined;
  }
}
