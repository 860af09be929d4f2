import { Button } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Failure } from '../../ui/Failure';
import { PasswordField } from '../../ui/PasswordField';
import { useFocusOnMount } from '../../ui/useFocusOnMount';
import styles from './PasswordForm.module.css';

export type PasswordFormProps = {
  email: string;
  label?: string;
  /** Said when nothing was typed. */
  missing?: string;
  action: string;
  isDangerous?: boolean;
  /** The way out. */
  cancel?: string;
  failure: string | undefined;
  isSending: boolean;
  onSubmit: (password: string) => void;
  onCancel: () => void;
};

/** What a stolen session must not do asks for the password again. */
export function PasswordForm({ email, action, isDangerous, failure, isSending, ...props }: PasswordFormProps) {
  const { label = 'Mot de passe', missing = 'Veuillez saisir votre mot de passe', cancel = 'Annuler' } = props;
  const field = useFocusOnMount<HTMLInputElement>();
  const [password, setPassword] = useState('');
  const [fault, setFault] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isEmpty = password.trim() === '';
    setFault(isEmpty ? missing : undefined);
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
        error={fault}
        onChange={(value) => {
          setPassword(value);
          setFault(undefined);
        }}
      />
      <div className={styles['actions']}>
        <Button type="submit" loading={isSending} {...(isDangerous && { color: 'danger' })}>
          {action}
        </Button>
        <Button variant="default" onClick={props.onCancel}>
          {cancel}
        </Button>
      </div>
    </form>
  );
}
