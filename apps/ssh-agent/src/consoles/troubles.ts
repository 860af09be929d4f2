import { type ConsoleTrouble, troubleSentences } from '@vigie/contracts/console-frames';
import type { ConsoleEnd } from '@vigie/contracts/consoles';
import type { JobError } from '@vigie/contracts/jobs';

/** What the user of a console reads when it ends. */
export const sentences = {
  ...troubleSentences,
  gone: 'Le processus de cette console s’est arrêté\u00a0: ouvrez-en une autre.',
} satisfies Partial<Record<ConsoleTrouble, string>>;

/** Why the shell ended, and if its host was not reached, why not. */
export type ShellEnd = { reason: ConsoleEnd; failure: JobError | null };

/** Undefined if the shell has simply ended. */
export function troubleOf({ reason, failure }: ShellEnd): { code: ConsoleTrouble; message: string } | undefined {
  if (reason === 'exited' || reason === 'closed') return undefined;
  if (failure) return wordsOf(failure);
  const code = reason === 'session_ended' || reason === 'server_gone' ? reason : 'gone';
  return { code, message: sentences[code] };
}

function wordsOf({ message, remedy, code }: JobError): { code: ConsoleTrouble; message: string } {
  const text = remedy ? `${message} ${remedy}` : message;
  if (code === 'host_key_changed' || code === 'unavailable') return { code, message: text };
  return { code: 'ssh', message: text };
}
