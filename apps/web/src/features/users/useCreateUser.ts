import { CreateUser, type Role } from '@vigie/contracts/users';
import { useState } from 'react';
import { tellFailure } from '../../app/tellFailure';
import { useFormValues } from '../../app/useFormValues';
import { useIdempotencyKey } from '../../app/useIdempotencyKey';
import { usersApi } from './users.api';

export type NewUser = { email: string; password: string; first_name: string; last_name: string; role: Role };
export type NewUserErrors = Partial<Record<keyof NewUser, string>>;

const blank: NewUser = { email: '', password: '', first_name: '', last_name: '', role: 'client' };
const order = ['first_name', 'last_name', 'email', 'password'] as const;
const missing = 'Email, mot de passe, prénom et nom sont requis.';

/** What can be said before the server is asked, in the order of the form. */
function checkUser(values: NewUser): NewUserErrors {
  const errors: NewUserErrors = {};
  for (const field of order) {
    if (values[field].trim() === '') errors[field] = 'À renseigner.';
  }
  const checked = CreateUser.safeParse(values);
  for (const { path, message } of checked.error?.issues ?? []) {
    const field = order.find((name) => name === path[0]);
    if (field) errors[field] ??= message;
  }
  return errors;
}

/** The form of another account; `created` once there is one, until somebody begins anew. */
export function useCreateUser(focus: (field: keyof NewUser) => void) {
  const [createUser, { isLoading }] = usersApi.useCreateUserMutation();
  const { keyFor, renewKey } = useIdempotencyKey();
  const [values, setValues] = useFormValues('user', blank, { password: '' });
  const [errors, setErrors] = useState<NewUserErrors>({});
  const [failure, setFailure] = useState<string>();
  const [created, setCreated] = useState<NewUser>();
  const change = (changes: Partial<NewUser>) => {
    const next = { ...values, ...changes };
    setValues(next);
    if (Object.keys(changes).some((field) => field in errors)) setErrors(checkUser(next));
  };
  const isComplete = (): boolean => {
    const found = checkUser(values);
    const first = order.find((field) => found[field] !== undefined);
    setErrors(found);
    setFailure(order.some((field) => values[field].trim() === '') ? missing : undefined);
    if (first) focus(first);
    return first === undefined;
  };
  const submit = async (): Promise<void> => {
    if (isLoading || !isComplete()) return;
    const { error } = await createUser({ user: values, idempotencyKey: keyFor(values) });
    if (error) return setFailure(tellFailure(error, 'Création impossible.'));
    renewKey();
    setCreated(values);
    setValues(blank);
  };
  const restart = () => {
    setErrors({});
    setCreated(undefined);
  };
  const isDirty = order.some((field) => values[field] !== '');
  return { values, errors, failure, created, isDirty, isSending: isLoading, change, submit, restart };
}
