import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readOwner } from '../lock.mjs';
import { processorMsOf, readProc } from '../proc';
import { sum } from './statistics';

export type Size = { name: string; megabytes: number };

/** Measures the proportional memory (PSS) of each process, including its children. */
export const measureMemory = (pids: ReadonlyMap<string, number>): Size[] =>
  [...pids].map(([name, pid]) => ({ name, megabytes: sum(processTree(pid, pids).map(processMemory)) / 1e6 }));

/** Measures the user and system time of each process, including its children. */
export const processorMs = (pids: ReadonlyMap<string, number>): Map<string, number> =>
  new Map([...pids].map(([name, pid]) => [name, sum(processTree(pid, pids).map(processorMsOf))]));

/** Child processes with their own entry are excluded. */
function processTree(pid: number, counted: ReadonlyMap<string, number>): number[] {
  const children = readChildren(pid).filter((child) => ![...counted.values()].includes(child));
  return [pid, ...children.flatMap((child) => processTree(child, counted))];
}

/** Reads the pids that the starter saved in a state folder, by name. */
export function recordedPids(home: string): Map<string, number> {
  const folder = join(home, 'run');
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return new Map(files.map((file) => [basename(file, '.json'), readOwner(join(folder, file))?.pid ?? 0]));
}

/** Returns 0 for a process that ended or belongs to another user. */
function processMemory(pid: number): number {
  const [, kibibytes] = /^Pss:\s+(\d+) kB$/m.exec(readProc(`${pid}/smaps_rollup`)) ?? [];
  return Number(kibibytes ?? 0) * 1024;
}

function readChildren(pid: number): number[] {
  return readProc(`${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
}
