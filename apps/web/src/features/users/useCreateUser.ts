import { CreateUser, type Role } from '@vigie/contracts/users';
import { useState } from 'react';
import { emptyErrors, type FormErrors, schemaErrors } from '../../kit/form/errors';
import { useDraftForm } from '../../kit/form/useDraftForm';
import { usersApi } from './users.api';

export type NewUser = { email: string; password: string; first_name: string; last_name: string; role: Role };

const blank: NewUser = { email: '', password: '', first_name: '', last_name: '', role: 'client' };
const requiredFields = ['first_name', 'last_name', 'email', 'password'] as const;
const missingFields = 'Email, mot de passe, prénom et nom sont requis.';

/** Finds the errors that need no request. */
function checkUser(values: NewUser): FormErrors<NewUser> {
  const empty = emptyErrors(values, requiredFields);
  return {
    ...schemaErrors(CreateUser, values),
    ...empty,
    ...(Object.keys(empty).length > 0 && { form: missingFields }),
  };
}

/** The form of a new account; `created` is set until the user starts another one. */
export function useCreateUser() {
  const [createUser, call] = usersApi.useCreateUserMutation();
  const [created, setCreated] = useState<NewUser>();
  const form = useDraftForm<NewUser>({
    name: 'user',
    initial: blank,
    secrets: { password: '' },
    validate: checkUser,
    isChanged: (values) => requiredFields.some((field) => values[field] !== ''),
  });
  const save = async (values: NewUser): Promise<void> => {
    if (call.isLoading) return;
    const { error } = await createUser(values);
    if (error) return;
    setCreated(values);
    form.reset();
  };
  return { ...form, created, call, save: form.submit(save), restart: () => setCreated(undefined) };
}
