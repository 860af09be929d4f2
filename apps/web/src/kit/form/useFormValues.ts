import { type Dispatch, type SetStateAction, useEffect, useState } from 'react';
import { createDrafts, changedFields } from './drafts';
import { session, sessionExpired } from '../query/session';

const drafts = createDrafts();
const follow = () => drafts.followSession(session.get(), sessionExpired.get());

follow();
session.subscribe(follow);

/**
 * The values of a form, whose name includes the id of the item it edits. When the session expires, the changed fields are kept
 * and restored after the same person logs in again; `emptySecrets` replaces the fields that must not be kept.
 */
export function useFormValues<T extends object>(
  form: string,
  initial: T,
  emptySecrets: Partial<T> = {},
): [T, Dispatch<SetStateAction<T>>] {
  const [start] = useState(initial);
  const [values, setValues] = useState<T>(() => ({ ...start, ...drafts.find(form) }));
  useEffect(() => drafts.discard(form), [form]);
  // The shell unmounts the form as soon as the session expires.
  useEffect(() => () => {
    if (sessionExpired.get()) drafts.save(form, changedFields(start, { ...values, ...emptySecrets }));
  });
  return [values, setValues];
}
