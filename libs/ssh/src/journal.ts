import { SshFailure } from './failure';
import state from './journal-state.sh';
import purgeScript from './journal-purge.sh';
import stopScript from './journal-stop.sh';
import type { Connection } from './connection';
import { runScript, type ScriptOptions } from './script';
import { requireAbsolute } from './transfer';

/** Where a host keeps its journals, when not in the default places. */
export type JournalLocation = {
  /** The folder of all journals; `.vigie/operations` in the home folder by default. */
  folder?: string;
  /** A file whose content changes at each boot. */
  bootFile?: string;
};

/** A UUID, the same for every attempt: it decides whether the operation has begun already. */
export type OperationId = string;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Completes a journal script with the shared functions and returns it with its first arguments. */
export function operationScriptOf(script: string, id: OperationId, { folder = '', bootFile }: JournalLocation) {
  if (!uuid.test(id)) throw new Error('an operation has a UUID, in small letters');
  return {
    script: `${state}\n${script}`,
    args: [folder && requireAbsolute(folder), bootFile ?? '/proc/sys/kernel/random/boot_id', id],
  };
}

type Options = JournalLocation & Pick<ScriptOptions, 'signal'>;

/**
 * Ends all processes of an operation with TERM, and with KILL after the grace period. An operation that has not begun
 * can no longer begin. Returns `finished` when the operation was already over.
 */
export async function stop(
  connection: Connection,
  id: OperationId,
  { graceSeconds = 10, ...options }: Options & { graceSeconds?: number } = {},
): Promise<'stopped' | 'finished'> {
  const totalMs = (graceSeconds + 60) * 1_000;
  const output = await runOperationScript(connection, operationScriptOf(stopScript, id, options), [graceSeconds], {
    ...options,
    totalMs,
    name: 'journal-stop.sh',
  });
  if (output === 'stopped\n') return 'stopped';
  if (output === 'finished\n') return 'finished';
  throw newerJournalFailure(output) ?? new SshFailure({ kind: 'journal', detail: output }, 'unknown');
}

/** Recognises the answer of a script that met a journal of a format newer than this release. */
export function newerJournalFailure(output: string): SshFailure | undefined {
  const version = /^newer (\d{1,9})\n/.exec(output)?.[1];
  return version ? new SshFailure({ kind: 'newer-journal', version: Number(version) }, 'unknown') : undefined;
}

/**
 * Removes the journals of operations that ended, or never began, at least that many days ago, and returns their number.
 * An operation whose journal is removed could begin again, so callers must not retry operations that old.
 */
export async function purge(
  connection: Connection,
  { olderThanDays = 7, ...options }: Options & { olderThanDays?: number } = {},
): Promise<number> {
  // At least one day: an operation that is being stored right now has not begun either.
  if (!Number.isInteger(olderThanDays) || olderThanDays < 1) throw new Error('an age is one day or more');
  const anyOperation = '00000000-0000-0000-0000-000000000000';
  const output = await runOperationScript(
    connection,
    operationScriptOf(purgeScript, anyOperation, options),
    [olderThanDays],
    {
      ...options,
      name: 'journal-purge.sh',
    },
  );
  return output.split('\n').length - 1;
}

async function runOperationScript(
  connection: Connection,
  { script, args }: ReturnType<typeof operationScriptOf>,
  numbers: readonly number[],
  { signal, name, totalMs = 120_000 }: Options & { name: string; totalMs?: number },
): Promise<string> {
  const { outcome, stdout, stderr } = await runScript(connection, script, {
    args: [...args, ...numbers.map(String)],
    limits: { totalMs },
    name,
    ...(signal && { signal }),
  });
  if (outcome === 'succeeded') return stdout.bytes.toString();
  throw new SshFailure({ kind: 'journal', detail: stderr.bytes.toString() }, 'unknown');
}
