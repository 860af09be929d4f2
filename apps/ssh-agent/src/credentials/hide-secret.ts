import { SshFailure } from '@vigie/ssh/failure';
import type { SshTarget } from '@vigie/ssh/target';

/** A shorter one protects nothing, and is part of too many words. */
const minLength = 4;
/** What folders and sites are called too: what programs read on is not rewritten for it. */
const commonWord = /^[\p{Ll}\d._-]{0,15}$/u;
/** Where only people read. */
const textKeys = new Set(['message', 'notes', 'remedy', 'stderr', 'stdout', 'warnings']);

/** A host knows the password that it was offered, and may say it back in words that are shown and kept. */
export function hideSecret(text: string, { auth }: Pick<SshTarget, 'auth'>): string {
  const isHidden = 'password' in auth && auth.password.length >= minLength;
  return isHidden ? text.replaceAll(auth.password, '•••') : text;
}

/** Before anything is cut out of what the host said: half a password is still said. */
export function hideSecretInFailure({ reason, wasStarted }: SshFailure, target: Pick<SshTarget, 'auth'>): SshFailure {
  const hide = (text: string) => hideSecret(text, target);
  const hiddenReason = {
    ...reason,
    ...('said' in reason && { said: hide(reason.said) }),
    ...('offered' in reason && { offered: reason.offered.map(hide) }),
  };
  return new SshFailure(hiddenReason, wasStarted);
}

/** In all that came of it, however deep. */
export function hideSecretIn<T extends object>(object: T, target: Pick<SshTarget, 'auth'>): T {
  const { auth } = target;
  const isCommonWord = !('password' in auth) || commonWord.test(auth.password);
  // What is in a list has its number for a key.
  const hide = (key: string, value: unknown): unknown => {
    if (isCommonWord && !textKeys.has(key)) return value;
    if (Array.isArray(value)) return value.map((one: unknown) => hide(key, one));
    return typeof value === 'string' ? hideSecret(value, target) : value;
  };
  return JSON.parse(JSON.stringify(object, hide)) as T;
}
