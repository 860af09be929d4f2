import { Button } from '@mantine/core';
import { ChangePassword } from '@vigie/contracts/passwords';
import { type FormEvent, useRef, useState } from 'react';
import { reportFailure } from '../../kit/query/failures';
import { Failure } from '../../ui/Failure';
import { PasswordField } from '../../kit/form/PasswordField';
import { toast } from '../../ui/toasts';
import styles from './ChangePasswordForm.module.css';
import { passwordsApi } from './passwords.api';

const blank: ChangePassword = { current_password: '', new_password: '', confirm_password: '' };
const fields = ['current_password', 'new_password', 'confirm_password'] as const;
type Field = (typeof fields)[number];
type Errors = Partial<Record<Field, string>>;

const texts: Record<Field, { label: string; hint?: string }> = {
  current_password: { label: 'Mot de passe actuel' },
  new_password: { label: 'Nouveau mot de passe', hint: '8 caractères au moins' },
  confirm_password: { label: 'Confirmation du nouveau mot de passe' },
};

function checkPasswords(values: ChangePassword): Errors {
  const errors: Errors = {};
  for (const { path, message } of ChangePassword.safeParse(values).error?.issues ?? []) {
    const field = fields.find((name) => name === path[0]);
    if (field) errors[field] ??= message;
  }
  return errors;
}

/** Clears the fields that were sent, but not what the user typed while the request ran. */
const keepNewInput = (sent: ChangePassword, current: ChangePassword): ChangePassword => {
  const next = { ...current };
  for (const field of fields) if (current[field] === sent[field]) next[field] = '';
  return next;
};

function useChangePassword(focus: (field: Field) => void) {
  const [changePassword, { isLoading }] = passwordsApi.useChangePasswordMutation();
  const [values, setValues] = useState(blank);
  const [errors, setErrors] = useState<Errors>({});
  const [failure, setFailure] = useState<string>();
  const change = (field: Field, value: string) => {
    const next = { ...values, [field]: value };
    setValues(next);
    if (Object.keys(errors).length > 0) setErrors(checkPasswords(next));
  };
  const save = async (): Promise<void> => {
    const nextErrors = checkPasswords(values);
    const firstInvalid = fields.find((field) => nextErrors[field] !== undefined);
    setErrors(nextErrors);
    setFailure(undefined);
    if (firstInvalid) return focus(firstInvalid);
    const { data, error } = await changePassword(values);
    if (!data) return setFailure(reportFailure(error, 'Échec du changement de mot de passe'));
    setValues((current) => keepNewInput(values, current));
    toast.success(data.message);
  };
  return { values, errors, failure, isSending: isLoading, change, save };
}

/** The server closes the user's other sessions once the password has changed. */
export function ChangePasswordForm({ email }: { email: string }) {
  const form = useRef<HTMLFormElement>(null);
  const focus = (field: Field) => form.current?.querySelector<HTMLElement>(`[name=${field}]`)?.focus();
  const { values, errors, failure, isSending, change, save } = useChangePassword(focus);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isSending) void save();
  };
  return (
    <form ref={form} noValidate method="post" className={styles['form']} onSubmit={submit}>
      <h3>Changer le mot de passe</h3>
      <p className={styles['note']}>Vos autres sessions seront fermées.</p>
      <Failure sentence={failure} />
      <input hidden readOnly type="email" name="email" aria-label="Email" autoComplete="username" value={email} />
      {fields.map((name) => (
        <PasswordField
          key={name}
          {...texts[name]}
          name={name}
          autoComplete={name === 'current_password' ? 'current-password' : 'new-password'}
          value={values[name]}
          error={errors[name]}
          onChange={(value) => change(name, value)}
        />
      ))}
      <Button type="submit" variant="default" loading={isSending} className={styles['submit']}>
        Changer le mot de passe
      </Button>
    </form>
  );
}
