import { SshFailure } from '@vigie/ssh/failure';
import type { SshTarget } from '@vigie/ssh/target';

/** A shorter password protects nothing, and is part of too many words. */
const minLength = 4;
/** Folders and sites may be named like such a password, so values that programs read are not changed for it. */
const commonWord = /^[\p{Ll}\d._-]{0,15}$/u;
/** Keys whose values only people read. */
const textKeys = new Set(['message', 'notes', 'remedy', 'stderr', 'stdout', 'warnings']);

/** A host may repeat the password that it was offered, in output that Vigie shows and stores. */
export function hideSecret(text: string, { auth }: Pick<SshTarget, 'auth'>): string {
  const isHidden = 'password' in auth && auth.password.length >= minLength;
  return isHidden ? text.replaceAll(auth.password, '•••') : text;
}

/** Hides the password before the output is shortened: half a password is still a secret. */
export function hideSecretInFailure({ reason, wasStarted }: SshFailure, target: Pick<SshTarget, 'auth'>): SshFailure {
  const hide = (text: string) => hideSecret(text, target);
  const hiddenReason = {
    ...reason,
    ...('detail' in reason && { detail: hide(reason.detail) }),
    ...('offered' in reason && { offered: reason.offered.map(hide) }),
  };
  return new SshFailure(hiddenReason, wasStarted);
}

/** Hides the password in all strings of an object. */
export function hideSecretIn<T extends object>(object: T, target: Pick<SshTarget, 'auth'>): T {
  const { auth } = target;
  const isCommonWord = !('password' in auth) || commonWord.test(auth.password);
  // JSON gives the elements of a list their index as key, so that lists are handled here.
  const hide = (key: string, value: unknown): unknown => {
    if (isCommonWord && !textKeys.has(key)) return value;
    if (Array.isArray(value)) return value.map((element: unknown) => hide(key, element));
    return typeof value === 'string' ? hideSecret(value, target) : value;
  };
  return JSON.parse(JSON.stringify(object, hide)) as T;
}
