import { type Dispatch, type SetStateAction, useEffect, useState } from 'react';
import { createDrafts, typedOf } from './drafts';
import { session, sessionExpired } from './session';

const drafts = createDrafts();
const follow = () => drafts.follow(session.get(), sessionExpired.get());

follow();
session.subscribe(follow);

/**
 * The fields of a form, whose name says of what it is too. Where a session ends over them, the same person finds there again
 * what was typed, with the secrets as they are given here.
 */
export function useFormValues<T extends object>(
  form: string,
  begin: T,
  secrets: Partial<T> = {},
): [T, Dispatch<SetStateAction<T>>] {
  const [start] = useState(begin);
  const [values, setValues] = useState<T>(() => ({ ...start, ...drafts.find(form) }));
  useEffect(() => drafts.forget(form), [form]);
  // The frame takes the form away as soon as there is no session: what it holds by then is kept.
  useEffect(() => () => {
    if (sessionExpired.get()) drafts.keep(form, typedOf(start, { ...values, ...secrets }));
  });
  return [values, setValues];
}
