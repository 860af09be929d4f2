import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Failure } from '../../ui/Failure';
import { PasswordField } from '../../ui/PasswordField';
import { useFocusOnMount } from '../../ui/useFocusOnMount';
import styles from './Page.module.css';

type Props = {
  title: string;
  email: string;
  action: string;
  isDangerous?: boolean;
  failure: string | undefined;
  isSending: boolean;
  onSubmit: (password: string) => void;
  onCancel: () => void;
  children: ReactNode;
};

/** What a stolen session must not do asks for the password again. */
export function PasswordForm({ title, email, action, isDangerous, failure, isSending, children, ...props }: Props) {
  const field = useFocusOnMount<HTMLInputElement>();
  const [password, setPassword] = useState('');
  const [fault, setFault] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isEmpty = password.trim() === '';
    setFault(isEmpty ? 'Veuillez saisir votre mot de passe' : undefined);
    if (isEmpty) field.current?.focus();
    else if (!isSending) props.onSubmit(password);
  };
  return (
    <section className={styles['card']}>
      <h2>{title}</h2>
      <p>{children}</p>
      <form noValidate method="post" className={styles['form']} onSubmit={submit}>
        <Failure sentence={failure} />
        <input hidden readOnly type="email" name="email" aria-label="Email" autoComplete="username" value={email} />
        <PasswordField
          ref={field}
          name="password"
          label="Mot de passe"
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
            Annuler
          </Button>
        </div>
      </form>
    </section>
  );
}
