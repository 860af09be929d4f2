import { readdirSync, readFileSync } from 'node:fs';
import type { Connection } from '@vigie/ssh/connection';
import { begin } from '@vigie/ssh/journal-begin';
import { follow } from '@vigie/ssh/journal-follow';
import { killAtOnce } from './signals';

/** Runs an operation to its end and returns its progress lines and output. */
export async function runOperation(
  connection: Connection,
  id: string,
  { lock, ...task }: { script: string; input: string; lock: string },
) {
  await begin(connection, { id, mode: 'detached', lock, ...task });
  const progress: Buffer[] = [];
  const end = await follow(connection, id, { onProgress: (bytes) => void progress.push(bytes), pollMs: 100 });
  const printed = `${end.stdout.bytes.toString()}${end.stderr.bytes.toString()}`;
  return { lines: Buffer.concat(progress).toString().split('\n'), code: end.code, printed };
}

/** Lists the processes of an operation, which all inherit its variable. */
export function processesOf(operation: string): { pid: number; name: string }[] {
  const variable = `VIGIE_OPERATION=${operation}`;
  return readdirSync('/proc').flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return [];
    try {
      const belongs = readFileSync(`/proc/${entry}/environ`, 'utf8').split('\0').includes(variable);
      return belongs ? [{ pid: Number(entry), name: readFileSync(`/proc/${entry}/comm`, 'utf8').trim() }] : [];
    } catch {
      return [];
    }
  });
}

export const killOperation = (operation: string): void =>
  killAtOnce(() => processesOf(operation).map(({ pid }) => pid));
