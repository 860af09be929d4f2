import { runCommand } from '../start/command';
import { millisecondsOf } from './ssh-rivals';

export type RivalUsage = { ms: number; cpuMs: number };

/** Runs a command and measures the processor time of the command and its children. */
export async function runMeasured(
  command: readonly string[],
  options: Parameters<typeof runCommand>[2],
): Promise<RivalUsage & { output: string }> {
  const startedAt = performance.now();
  const output = await runCommand('bash', ['-c', '"$@"; code=$?; times; exit $code', 'bash', ...command], options);
  const ms = performance.now() - startedAt;
  const [, user = '', system = ''] = [...output.matchAll(/^(\d+m[\d.]+s) (\d+m[\d.]+s)$/gm)].at(-1) ?? [];
  return { ms, cpuMs: millisecondsOf(user) + millisecondsOf(system), output };
}
