import { Button } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Failure } from '../../ui/Failure';
import { PasswordField } from '../../kit/form/PasswordField';
import { useFocusOnMount } from '../../ui/useFocusOnMount';
import styles from './PasswordForm.module.css';

export type PasswordFormProps = {
  email: string;
  label?: string;
  emptyError?: string;
  action: string;
  isDangerous?: boolean;
  cancelLabel?: string;
  failure: string | undefined;
  isSending: boolean;
  onSubmit: (password: string) => void;
  onCancel: () => void;
};

/** Asks for the password again, so that a stolen session cannot change the second factor. */
export function PasswordForm({ email, action, isDangerous, failure, isSending, ...props }: PasswordFormProps) {
  const { label = 'Mot de passe', emptyError = 'Veuillez saisir votre mot de passe', cancelLabel = 'Annuler' } = props;
  const field = useFocusOnMount<HTMLInputElement>();
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isEmpty = password.trim() === '';
    setError(isEmpty ? emptyError : undefined);
    if (isEmpty) field.current?.focus();
    else if (!isSending) props.onSubmit(password);
  };
  return (
    <form noValidate method="post" className={styles['form']} onSubmit={submit}>
      <Failure sentence={failure} />
      <input hidden readOnly type="email" name="email" aria-label="Email" autoComplete="username" value={email} />
      <PasswordField
        ref={field}
        name="password"
        label={label}
        autoComplete="current-password"
        value={password}
        error={error}
        onChange={(value) => {
          setPassword(value);
          setError(undefined);
        }}
      />
      <div className={styles['actions']}>
        <Button type="submit" loading={isSending} {...(isDangerous && { color: 'danger' })}>
          {action}
        </Button>
        <Button variant="default" onClick={props.onCancel}>
          {cancelLabel}
        </Button>
      </div>
    </form>
  );
}
