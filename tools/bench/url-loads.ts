import { Refusal, fr } from '../terminal';
import { startProgram } from './programs';
import { median } from './statistics';
import type { Workbench } from './workbench';

export type Load = {
  url: string;
  /** What each request says: who reads, or what is posted, where each connection has a body of its own. */
  sent: { token: string } | { bodies: readonly string[] };
  connections: number;
  seconds: number;
  /** As fast as it answers, or `rate` a second: evenly, or in the salvoes in which autocannon sends a rate. */
  pace: 'full' | { rate: number; isSalvo: boolean };
};

/** Times in milliseconds, of answers 200 only. */
export type Measured = {
  perSecond: number;
  p50: number;
  p99: number;
  /** How many were answered otherwise, or not at all, by status or error. */
  failures: Record<string, number>;
};

/** Loads an address from a process of its own. */
export async function loadWith(bench: Workbench, load: Load): Promise<Measured> {
  const { message, running } = await startProgram(bench, 'url-load', { VIGIE_BENCH_LOAD: JSON.stringify(load) });
  await running.exited;
  return message as Measured;
}

/** A figure with anything but 200 in it is none. */
export function checked(name: string, measured: Measured): Measured {
  const isClean = Object.keys(measured.failures).length === 0 && measured.perSecond > 0;
  if (isClean) return measured;
  throw new Refusal(fr`${name} n’a pas répondu 200 à tout : ${JSON.stringify(measured)}`);
}

/** The median of each figure. */
export function medianOf(rounds: readonly Measured[]): Measured {
  const of = (key: 'perSecond' | 'p50' | 'p99') => median(rounds.map((round) => round[key]));
  return { perSecond: of('perSecond'), p50: of('p50'), p99: of('p99'), failures: {} };
}
