import { SshFailure } from './failure';
import state from './journal-state.sh';
import purgeScript from './journal-purge.sh';
import stopScript from './journal-stop.sh';
import type { Connection } from './connection';
import { runScript, type ScriptOptions } from './script';
import { absolute } from './transfer';

/** Where journals are, for hosts that are not like the others. */
export type JournalPlace = {
  /** The folder of all journals; `.vigie/operations` of the home folder by default. */
  folder?: string;
  /** The file that has another content after each boot. */
  bootFile?: string;
};

/** The same over all attempts, since it decides whether something was begun already. */
export type OperationId = string;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What each script about an operation begins with, and what it is given first. */
export function operationScriptOf(script: string, id: OperationId, { folder = '', bootFile }: JournalPlace) {
  if (!uuid.test(id)) throw new Error('an operation has a UUID, in small letters');
  return {
    script: `${state}\n${script}`,
    args: [folder && absolute(folder), bootFile ?? '/proc/sys/kernel/random/boot_id', id],
  };
}

type Options = JournalPlace & Pick<ScriptOptions, 'signal'>;

/**
 * Ends all processes of an operation: TERM, and KILL after so many seconds. One that was not begun will not begin any
 * more. `finished` when it was over before.
 */
export async function stop(
  connection: Connection,
  id: OperationId,
  { graceSeconds = 10, ...options }: Options & { graceSeconds?: number } = {},
): Promise<'stopped' | 'finished'> {
  const totalMs = (graceSeconds + 60) * 1_000;
  const said = await tell(connection, operationScriptOf(stopScript, id, options), [graceSeconds], {
    ...options,
    totalMs,
    name: 'journal-stop.sh',
  });
  if (said === 'stopped\n') return 'stopped';
  if (said === 'finished\n') return 'finished';
  throw newerJournalFailure(said) ?? new SshFailure({ kind: 'journal', said }, 'unknown');
}

/** What a script about an operation says when it is of a format that this release does not know. */
export function newerJournalFailure(said: string): SshFailure | undefined {
  const version = /^newer (\d{1,9})\n/.exec(said)?.[1];
  return version ? new SshFailure({ kind: 'newer-journal', version: Number(version) }, 'unknown') : undefined;
}

/**
 * Removes the journals of operations that were over, or never begun, so many days ago; answers how many. An operation
 * whose journal is gone can begin again: nobody may still want to begin one as old as that.
 */
export async function purge(
  connection: Connection,
  { olderThanDays = 7, ...options }: Options & { olderThanDays?: number } = {},
): Promise<number> {
  // A day at least: what is being stored at this moment was not begun either.
  if (!Number.isInteger(olderThanDays) || olderThanDays < 1) throw new Error('an age is one day or more');
  const any = '00000000-0000-0000-0000-000000000000';
  const said = await tell(connection, operationScriptOf(purgeScript, any, options), [olderThanDays], {
    ...options,
    name: 'journal-purge.sh',
  });
  return said.split('\n').length - 1;
}

async function tell(
  connection: Connection,
  { script, args }: ReturnType<typeof operationScriptOf>,
  more: readonly number[],
  { signal, name, totalMs = 120_000 }: Options & { name: string; totalMs?: number },
): Promise<string> {
  const { outcome, stdout, stderr } = await runScript(connection, script, {
    args: [...args, ...more.map(String)],
    limits: { totalMs },
    name,
    ...(signal && { signal }),
  });
  if (outcome === 'succeeded') return stdout.bytes.toString();
  throw new SshFailure({ kind: 'journal', said: stderr.bytes.toString() }, 'unknown');
}
