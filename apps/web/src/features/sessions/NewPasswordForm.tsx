import { Button } from '@mantine/core';
import type { FormEvent } from 'react';
import { PasswordField } from '../../kit/form/PasswordField';
import { useFocusOnMount } from '../../ui/useFocusOnMount';
import { FailureNote } from './FailureNote';
import type { Failure } from './failure';
import { checkNewPassword, type NewPassword } from './fields';
import styles from './forms.module.css';
import { keepFocus, useFields } from './useFields';

const blank: NewPassword = { password: '', confirmation: '' };
const fields = ['password', 'confirmation'] as const;
const labels = { password: 'Nouveau mot de passe', confirmation: 'Confirmation' };

type Props = { failure: Failure | undefined; isSending: boolean; onSubmit: (password: string) => void };

export function NewPasswordForm({ failure, isSending, onSubmit }: Props) {
  const { form, values, errors, change, validateField, validate } = useFields(blank, checkNewPassword);
  const passwordField = useFocusOnMount<HTMLInputElement>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (validate(fields)) onSubmit(values.password);
  };
  return (
    <form ref={form} noValidate method="post" className={styles['form']} onSubmit={submit}>
      <FailureNote failure={failure} />
      {fields.map((name) => (
        <PasswordField
          key={name}
          {...(name === 'password' && { ref: passwordField, hint: '8 caractères au moins' })}
          name={name}
          label={labels[name]}
          autoComplete="new-password"
          value={values[name]}
          error={errors[name]}
          onChange={(value) => change(name, value)}
          onLeave={() => validateField(name)}
        />
      ))}
      <div role="presentation" className={styles['actions']} onMouseDown={keepFocus}>
        <Button type="submit" loading={isSending} className={styles['submit']}>
          Enregistrer le mot de passe
        </Button>
      </div>
    </form>
  );
}
