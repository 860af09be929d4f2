import { CreateUser, type Role } from '@vigie/contracts/users';
import { useState } from 'react';
import { reportFailure } from '../../kit/query/failures';
import { useFormValues } from '../../kit/form/useFormValues';
import { usersApi } from './users.api';

export type NewUser = { email: string; password: string; first_name: string; last_name: string; role: Role };
export type NewUserErrors = Partial<Record<keyof NewUser, string>>;

const blank: NewUser = { email: '', password: '', first_name: '', last_name: '', role: 'client' };
const requiredFields = ['first_name', 'last_name', 'email', 'password'] as const;
const missingFields = 'Email, mot de passe, prénom et nom sont requis.';

/** Finds the errors that need no request, in the order of the form. */
function checkUser(values: NewUser): NewUserErrors {
  const errors: NewUserErrors = {};
  for (const field of requiredFields) {
    if (values[field].trim() === '') errors[field] = 'À renseigner.';
  }
  const parsed = CreateUser.safeParse(values);
  for (const { path, message } of parsed.error?.issues ?? []) {
    const field = requiredFields.find((name) => name === path[0]);
    if (field) errors[field] ??= message;
  }
  return errors;
}

/** The form of a new account; `created` is set until the user starts another one. */
export function useCreateUser(focus: (field: keyof NewUser) => void) {
  const [createUser, { isLoading }] = usersApi.useCreateUserMutation();
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
    const nextErrors = checkUser(values);
    const firstInvalid = requiredFields.find((field) => nextErrors[field] !== undefined);
    setErrors(nextErrors);
    setFailure(requiredFields.some((field) => values[field].trim() === '') ? missingFields : undefined);
    if (firstInvalid) focus(firstInvalid);
    return firstInvalid === undefined;
  };
  const submit = async (): Promise<void> => {
    if (isLoading || !isComplete()) return;
    const { error } = await createUser(values);
    if (error) return setFailure(reportFailure(error, 'Création impossible.'));
    setCreated(values);
    setValues(blank);
  };
  const restart = () => {
    setErrors({});
    setCreated(undefined);
  };
  const isDirty = requiredFields.some((field) => values[field] !== '');
  return { values, errors, failure, created, isDirty, isSending: isLoading, change, submit, restart };
}
