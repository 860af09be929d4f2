import { readdirSync } from 'node:fs';
import type { TestProduct } from '@vigie/testing/product';
import { processorMsOf, readProc, residentMegabytes } from '../proc';

const servers = ['postgres', 'redis-server', 'nats-server'];
const apps = ['gateway', 'auth-svc', 'sites-svc', 'ssh-agent'] as const;

export type Usage = { at: number; cpuMs: ReadonlyMap<string, number>; megabytes: ReadonlyMap<string, number> };

/** Measures the processes of the product and of its servers, other than those that ran before. */
export class Processors {
  private constructor(
    private readonly product: TestProduct,
    private readonly others: ReadonlySet<number>,
  ) {}

  /** To be called before the servers start. */
  static findOthers = (): ReadonlySet<number> => new Set(serverPids().map(({ pid }) => pid));

  static of = (product: TestProduct, others: ReadonlySet<number>) => new Processors(product, others);

  read(): Usage {
    const entries = [
      ...apps.map((name) => ({ name, pids: this.product.processesOf(name).map(({ pid }) => pid) })),
      ...servers.map((name) => ({
        name,
        pids: serverPids().flatMap((found) => (found.name === name && !this.others.has(found.pid) ? found.pid : [])),
      })),
    ];
    const sumOf = (of: (pid: number) => number) =>
      new Map(entries.map(({ name, pids }) => [name, pids.reduce((sum, pid) => sum + of(pid), 0)]));
    return {
      at: performance.now(),
      cpuMs: sumOf(processorMsOf),
      megabytes: sumOf((pid) => residentMegabytes(pid) ?? 0),
    };
  }
}

function serverPids(): { pid: number; name: string }[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map((entry) => ({ pid: Number(entry), name: readProc(`${entry}/comm`).trim() }))
    .filter(({ name }) => servers.includes(name));
}

/** The cores that each process used between two readings. */
export const coresBetween = (first: Usage, last: Usage): [string, number][] =>
  [...last.cpuMs].map(([name, ms]) => [name, (ms - (first.cpuMs.get(name) ?? 0)) / (last.at - first.at)]);
