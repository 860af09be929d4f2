import { type Dispatch, type SetStateAction, useEffect, useState } from 'react';
import { createDrafts, typedOf } from './drafts';
import { session, sessionExpired } from './session';

const drafts = createDrafts();
const follow = () => drafts.follow(session.get(), sessionExpired.get());

follow();
session.subscribe(follow);

/**
 * The values of a form, whose name includes the id of the item it edits. When the session expires, the changed fields are kept
 * and restored after the same person logs in again; `secrets` replaces the fields that must not be kept.
 */
export function useFormValues<T extends object>(
  form: string,
  begin: T,
  secrets: Partial<T> = {},
): [T, Dispatch<SetStateAction<T>>] {
  const [start] = useState(begin);
  const [values, setValues] = useState<T>(() => ({ ...start, ...drafts.find(form) }));
  useEffect(() => drafts.forget(form), [form]);
  // The shell unmounts the form as soon as the session expires.
  useEffect(() => () => {
    if (sessionExpired.get()) drafts.keep(form, typedOf(start, { ...values, ...secrets }));
  });
  return [values, setValues];
}
