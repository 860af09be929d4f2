import { runCommand } from '../start/command';
import { millisecondsOf } from './ssh-rivals';

/** What a rival took, and what it cost on this side. */
export type Rivalled = { ms: number; cpuMs: number };

/** Runs a command, and counts what it and all that it started used of the processor. */
export async function runCounted(
  command: readonly string[],
  options: Parameters<typeof runCommand>[2],
): Promise<Rivalled & { printed: string }> {
  const since = performance.now();
  const printed = await runCommand('bash', ['-c', '"$@"; code=$?; times; exit $code', 'bash', ...command], options);
  const ms = performance.now() - since;
  const [, user = '', system = ''] = [...printed.matchAll(/^(\d+m[\d.]+s) (\d+m[\d.]+s)$/gm)].at(-1) ?? [];
  return { ms, cpuMs: millisecondsOf(user) + millisecondsOf(system), printed };
}
