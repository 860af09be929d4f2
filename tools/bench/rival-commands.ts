import { join } from 'node:path';
import { runCommand } from '../start/command';
import { root, searchPath } from '../start/env';
import { timed } from './measure';

const env = () => ({ PATH: searchPath(), LC_ALL: 'C' });
const repeat = join(root, 'tools/bench/rivals/repeat.sh');

export type Repeated = {
  times: number[];
  /** User and system time of all runs. */
  cpuMs: number;
};

/** Runs a command repeatedly and throws when one run fails. */
export async function repeatCommand(count: number, command: readonly string[]): Promise<Repeated> {
  return readRepeated(await runCommand('bash', ['--norc', repeat, `${count}`, ...command], { env: env() }));
}

/** Parses the output of repeat.sh. */
export function readRepeated(printed: string): Repeated {
  const runs = [...printed.matchAll(/^(\d+) (\d+)$/gm)];
  const [, [, user, system] = []] = [...printed.matchAll(/^(\d+m[\d.]+s) (\d+m[\d.]+s)$/gm)];
  if (!user || !system || runs.some(([, , code]) => code !== '0')) throw new Error(`a rival failed:\n${printed}`);
  return {
    times: runs.map(([, micros]) => Number(micros) / 1000),
    cpuMs: millisecondsOf(user) + millisecondsOf(system),
  };
}

export type RivalUsage = { ms: number; cpuMs: number };

/**
 * Runs a command and measures the processor time of the command and its children. `--norc`: with a socket for its standard
 * input, bash would run the settings of a person first.
 */
export async function runMeasured(
  command: readonly string[],
  options: Parameters<typeof runCommand>[2],
): Promise<RivalUsage & { output: string }> {
  const { ms, done: output } = await timed(() =>
    runCommand('bash', ['--norc', '-c', '"$@"; code=$?; times; exit $code', 'bash', ...command], options),
  );
  const [, user = '', system = ''] = [...output.matchAll(/^(\d+m[\d.]+s) (\d+m[\d.]+s)$/gm)].at(-1) ?? [];
  return { ms, cpuMs: millisecondsOf(user) + millisecondsOf(system), output };
}

/** Parses a time such as `0m1.234s`. */
function millisecondsOf(time: string): number {
  const [minutes, seconds] = time.split('m');
  return Number(minutes) * 60_000 + Number.parseFloat(seconds ?? '') * 1000;
}

/** Logs in to the hosts, 8 at once, and counts those without an answer. */
export async function runXargs(hosts: number, command: readonly string[]): Promise<{ ms: number; failures: number }> {
  const startedAt = performance.now();
  const input = `${Array.from({ length: hosts }, (_, host) => host).join('\n')}\n`;
  const printed = await runCommand('xargs', ['-P8', '-I{}', ...command, 'echo ok {}'], { env: env(), input }).catch(
    (error: Error & { printed?: string }) => error.printed ?? '',
  );
  return { ms: performance.now() - startedAt, failures: hosts - (printed.match(/^ok \d+$/gm)?.length ?? 0) };
}
