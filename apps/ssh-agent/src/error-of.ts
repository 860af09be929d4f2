import type { JobError } from '@vigie/contracts/jobs';
import type { SshFailure } from '@vigie/ssh/failure';

/** Tells the user what happened on a host, and what to do next. */
export function errorOf({ kind, message, remedy, reason }: SshFailure): JobError {
  const keys = reason.kind === 'host-key-changed' ? { expected: reason.expected, actual: reason.actual } : {};
  return { message, remedy, code: kind.replaceAll('-', '_'), ...keys };
}
