import { Refusal, fr } from '../terminal';
import { type ProgramName, startProgram } from './programs';
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
export type Measured = { perSecond: number; p50: number; p99: number };

/** What a program sent: also the counts of other answers by status or error. */
export type Sent = Measured & { failures: Record<string, number> };

/** Sends load from a separate process, and refuses any answer that is not a 200. */
export async function runLoad(bench: Workbench, name: string, load: Load): Promise<Measured> {
  return runSender(bench, name, 'url-load', { VIGIE_BENCH_LOAD: JSON.stringify(load) });
}

export async function runSender(
  bench: Workbench,
  name: string,
  program: ProgramName,
  env: NodeJS.ProcessEnv,
): Promise<Measured> {
  const { message, running } = await startProgram(bench, program, env);
  await running.exited;
  const { failures, ...measured } = message as Sent;
  if (Object.keys(failures).length === 0 && measured.perSecond > 0) return measured;
  throw new Refusal(fr`${name} n’a pas répondu 200 à tout : ${JSON.stringify(message)}`);
}
