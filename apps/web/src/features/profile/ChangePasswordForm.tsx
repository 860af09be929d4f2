import { Button } from '@mantine/core';
import { ChangePassword } from '@vigie/contracts/passwords';
import { type FormEvent, useState } from 'react';
import { Failure } from '../../ui/Failure';
import { PasswordField } from '../../ui/PasswordField';
import { toast } from '../../ui/toasts';
import styles from './ProfileDrawer.module.css';
import { profileApi } from './profile.api';
import { useFailure } from './useFailure';

const blank = { current_password: '', new_password: '', confirm_password: '' };
type Values = typeof blank;

const fields = [
  { name: 'current_password', label: 'Mot de passe actuel', autoComplete: 'current-password' },
  { name: 'new_password', label: 'Nouveau mot de passe', autoComplete: 'new-password', hint: '8 caractères au moins' },
  { name: 'confirm_password', label: 'Confirmation', autoComplete: 'new-password' },
] as const;

type Faults = { [name in keyof Values]?: string | undefined };

function faultsOf(values: Values): Faults {
  const { error } = ChangePassword.safeParse(values);
  return Object.fromEntries((error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]));
}

export function ChangePasswordForm({ email }: { email: string }) {
  const [values, setValues] = useState(blank);
  const [faults, setFaults] = useState<Faults>({});
  const [send, { isLoading }] = profileApi.useChangePasswordMutation();
  const { failure, fail, forget } = useFailure('Échec du changement de mot de passe');
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    const found = faultsOf(values);
    setFaults(found);
    forget();
    const first = fields.find(({ name }) => found[name] !== undefined);
    if (first) return form.querySelector<HTMLElement>(`[name=${first.name}]`)?.focus();
    const { data, error } = await send(values);
    if (!data) return fail(error);
    setValues(blank);
    return toast.success(data.message);
  };
  return (
    <form noValidate method="post" className={styles['form']} onSubmit={(event) => void submit(event)}>
      <Failure sentence={failure} />
      <input hidden readOnly type="email" name="email" aria-label="Email" autoComplete="username" value={email} />
      {fields.map(({ name, ...field }) => (
        <PasswordField
          key={name}
          {...field}
          name={name}
          value={values[name]}
          error={faults[name]}
          onChange={(value) => {
            setValues({ ...values, [name]: value });
            setFaults({ ...faults, [name]: undefined });
          }}
        />
      ))}
      <Button type="submit" variant="default" loading={isLoading}>
        Changer le mot de passe
      </Button>
    </form>
  );
}
