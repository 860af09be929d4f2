import type { HostProbe } from '@vigie/contracts/server-health';
import { type Reason, isUnrelatedToHost, type SshFailure } from '@vigie/ssh/failure';
import { errorOf } from '../error-of';

/** The state of a host that a failure proves. Undefined if it proves nothing, until the next probe. */
export function probeFromFailure(failure: SshFailure): HostProbe | undefined {
  if (isUnrelatedToHost(failure)) return undefined;
  const online = !isUnreachable(failure.reason);
  return { host_key: null, vitals: null, online, method: online ? 'tcp' : null, failure: errorOf(failure) };
}

/** After any other failure the host has answered. */
function isUnreachable(reason: Reason): boolean {
  if (reason.kind === 'timed-out') return reason.phase === 'resolve' || reason.phase === 'connect';
  return ['unresolved', 'forbidden', 'unreachable', 'refused'].includes(reason.kind);
}
