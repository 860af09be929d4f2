import { SshFailure } from '@vigie/ssh/failure';
import type { SshTarget } from '@vigie/ssh/target';

/** A shorter one protects nothing, and is part of too many words. */
const shortest = 4;

/** A host knows the password that it was offered, and may say it back in words that are shown and kept. */
export function hideSecret(text: string, { auth }: Pick<SshTarget, 'auth'>): string {
  const isHidden = 'password' in auth && auth.password.length >= shortest;
  return isHidden ? text.replaceAll(auth.password, '•••') : text;
}

/** Before anything is cut out of what the host said: half a password is still said. */
export function withoutSecret({ reason, wasStarted }: SshFailure, target: Pick<SshTarget, 'auth'>): SshFailure {
  const hide = (text: string) => hideSecret(text, target);
  const hidden = {
    ...reason,
    ...('said' in reason && { said: hide(reason.said) }),
    ...('offered' in reason && { offered: reason.offered.map(hide) }),
  };
  return new SshFailure(hidden, wasStarted);
}
