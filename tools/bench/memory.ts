import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readOwner } from '../lock.mjs';
import { readProc } from '../proc';
import { sum } from './statistics';

export type Size = { name: string; megabytes: number };

/** The share of memory of each process: what several share is divided among them. A child counts with its parent. */
export const sizesOf = (pids: ReadonlyMap<string, number>): Size[] =>
  [...pids].map(([name, pid]) => ({ name, megabytes: sum(treeOf(pid, pids).map(sizeOf)) / 1e6 }));

/** The time of the processor that each has had, user and system. A child counts with its parent. */
export const processorMs = (pids: ReadonlyMap<string, number>): Map<string, number> =>
  new Map([...pids].map(([name, pid]) => [name, sum(treeOf(pid, pids).map(processorMsOf))]));

/** Down to those that are counted by themselves. */
function treeOf(pid: number, counted: ReadonlyMap<string, number>): number[] {
  const own = childrenOf(pid).filter((child) => ![...counted.values()].includes(child));
  return [pid, ...own.flatMap((child) => treeOf(child, counted))];
}

/** As Linux counts it: a hundred ticks a second; children that have ended included. */
function processorMsOf(pid: number): number {
  const fields = readProc(`${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ');
  return sum(fields.slice(11, 15).map(Number)) * 10;
}

/** The processes that a starter noted in a state folder, by name. */
export function notedIn(home: string): Map<string, number> {
  const folder = join(home, 'run');
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return new Map(files.map((file) => [basename(file, '.json'), readOwner(join(folder, file))?.pid ?? 0]));
}

/** 0 where the process ended, is another user's, or the system does not say. */
function sizeOf(pid: number): number {
  const [, kibibytes] = /^Pss:\s+(\d+) kB$/m.exec(readProc(`${pid}/smaps_rollup`)) ?? [];
  return Number(kibibytes ?? 0) * 1024;
}

function childrenOf(pid: number): number[] {
  return readProc(`${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
}
