import { join } from 'node:path';
import { runCommand } from '../start/command';
import { root, searchPath } from '../start/env';

const env = () => ({ PATH: searchPath(), LC_ALL: 'C' });
const repeat = join(root, 'tools/bench/rivals/repeat.sh');

export type Repeated = {
  /** In milliseconds. */
  times: number[];
  /** User and system, of all of them. */
  cpuMs: number;
};

/** Runs a command again and again; throws when it fails once. */
export async function repeatCommand(count: number, command: readonly string[]): Promise<Repeated> {
  return readRepeated(await runCommand('bash', [repeat, `${count}`, ...command], { env: env() }));
}

/** What repeat.sh prints. */
export function readRepeated(printed: string): Repeated {
  const runs = [...printed.matchAll(/^(\d+) (\d+)$/gm)];
  const [, [, user, system] = []] = [...printed.matchAll(/^(\d+m[\d.]+s) (\d+m[\d.]+s)$/gm)];
  if (!user || !system || runs.some(([, , code]) => code !== '0')) throw new Error(`a rival failed:\n${printed}`);
  return {
    times: runs.map(([, micros]) => Number(micros) / 1000),
    cpuMs: millisecondsOf(user) + millisecondsOf(system),
  };
}

/** Of `0m1.234s`. */
export function millisecondsOf(time: string): number {
  const [minutes, seconds] = time.split('m');
  return Number(minutes) * 60_000 + Number.parseFloat(seconds ?? '') * 1000;
}

/** How long it takes to log in to as many hosts, 8 at once, and how many of them did not answer. */
export async function runXargs(hosts: number, command: readonly string[]): Promise<{ ms: number; failures: number }> {
  const since = performance.now();
  const input = `${Array.from({ length: hosts }, (_, host) => host).join('\n')}\n`;
  const printed = await runCommand('xargs', ['-P8', '-I{}', ...command, 'echo ok {}'], { env: env(), input }).catch(
    (error: Error & { printed?: string }) => error.printed ?? '',
  );
  return { ms: performance.now() - since, failures: hosts - (printed.match(/^ok \d+$/gm)?.length ?? 0) };
}
