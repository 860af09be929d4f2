import { Refusal, fr } from '../terminal';
import { startProgram } from './programs';
import { median } from './statistics';
import type { Workbench } from './workbench';

export type Load = {
  url: string;
  /** A token for reads, or bodies to post, one per connection. */
  payload: { token: string } | { bodies: readonly string[] };
  connections: number;
  seconds: number;
  /** Full speed, or `rate` requests per second: at constant intervals or in the bursts of autocannon. */
  pace: 'full' | { rate: number; isSalvo: boolean };
};

/** Milliseconds of answers with status 200. */
export type Measured = {
  perSecond: number;
  p50: number;
  p99: number;
  /** Counts of other answers by status or error. */
  failures: Record<string, number>;
};

/** Sends load from a separate process. */
export async function runLoad(bench: Workbench, load: Load): Promise<Measured> {
  const { message, running } = await startProgram(bench, 'url-load', { VIGIE_BENCH_LOAD: JSON.stringify(load) });
  await running.exited;
  return message as Measured;
}

/** Throws when an answer was not a 200. */
export function requireClean(name: string, measured: Measured): Measured {
  const isClean = Object.keys(measured.failures).length === 0 && measured.perSecond > 0;
  if (isClean) return measured;
  throw new Refusal(fr`${name} n’a pas répondu 200 à tout : ${JSON.stringify(measured)}`);
}

export function medianFigures(rounds: readonly Measured[]): Measured {
  const medianBy = (key: 'perSecond' | 'p50' | 'p99') => median(rounds.map((round) => round[key]));
  return { perSecond: medianBy('perSecond'), p50: medianBy('p50'), p99: medianBy('p99'), failures: {} };
}
