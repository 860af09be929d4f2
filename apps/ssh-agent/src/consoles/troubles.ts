import { type ConsoleTrouble, troubleSentences } from '@vigie/contracts/console-frames';
import type { ConsoleEnd } from '@vigie/contracts/shells';
import type { JobError } from '@vigie/contracts/jobs';
import { connectionFailed } from '@vigie/contracts/credentials';

/** What the user of a console reads when it ends. */
export const sentences = {
  ...troubleSentences,
  gone: 'Le processus de cette console s’est arrêté\u00a0: ouvrez-en une autre.',
} satisfies Partial<Record<ConsoleTrouble, string>>;

/** Why the shell ended, and if its host was not reached, why not. */
export type ShellEnd = { reason: ConsoleEnd; failure: JobError | null };

type Trouble = { code: ConsoleTrouble; message: string };

/** Undefined if the shell has simply ended. */
export function troubleOf({ reason, failure }: ShellEnd, isShared = false): Trouble | undefined {
  if (reason === 'exited' || reason === 'closed') return undefined;
  if (failure) return isShared ? hideConnection(failure) : wordsOf(failure);
  const isGone = reason === 'session_ended' || reason === 'server_gone' || reason === 'site_gone';
  const code = isGone ? reason : 'gone';
  return { code, message: sentences[code] };
}

function wordsOf({ message, remedy, code }: JobError): Trouble {
  const text = remedy ? `${message} ${remedy}` : message;
  if (code === 'host_key_changed' || code === 'unavailable') return { code, message: text };
  return { code: 'ssh', message: text };
}

/** Vigie's own refusal, made once the host has shown its key, names no host. */
const hideConnection = (failure: JobError): Trouble =>
  failure.code === 'forbidden'
    ? { code: 'site_gone', message: failure.message }
    : { code: wordsOf(failure).code, message: connectionFailed };
