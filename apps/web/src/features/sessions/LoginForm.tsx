import { Button } from '@mantine/core';
import { Clock } from 'lucide-react';
import type { FormEvent, RefObject } from 'react';
import { Callout } from '../../ui/Callout';
import { PasswordField } from '../../kit/form/PasswordField';
import { useFocusOnMount } from '../../ui/useFocusOnMount';
import { EmailField } from './EmailField';
import { FailureNote } from './FailureNote';
import type { Failure } from './failure';
import type { Credentials, FieldErrors } from './fields';
import styles from './forms.module.css';
import { keepFocus } from './useFields';

type Props = {
  form: RefObject<HTMLFormElement | null>;
  values: Credentials;
  errors: FieldErrors;
  failure: Failure | undefined;
  /** The server's answer to a forgotten password. */
  answer: string | undefined;
  isExpired: boolean;
  isSending: boolean;
  isSendingLink: boolean;
  onChange: (field: keyof Credentials, value: string) => void;
  onLeave: (field: keyof Credentials) => void;
  onSubmit: () => void;
  onForgot: () => void;
  onCancel: () => void;
};

function Notes({ failure, answer, isExpired }: Pick<Props, 'failure' | 'answer' | 'isExpired'>) {
  return (
    <>
      <FailureNote failure={failure} />
      <output>{answer !== undefined && <Callout tone="ok">{answer}</Callout>}</output>
      {isExpired && failure === undefined && answer === undefined && (
        <output>
          <Callout tone="info" icon={Clock}>
            Votre session a expiré. Reconnectez-vous pour continuer.
          </Callout>
        </output>
      )}
    </>
  );
}

export function LoginForm({ form, values, errors, onChange, onLeave, onSubmit, onForgot, onCancel, ...props }: Props) {
  const first = useFocusOnMount<HTMLInputElement>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form ref={form} noValidate method="post" className={styles['form']} onSubmit={submit}>
      <Notes {...props} />
      <EmailField
        ref={first}
        value={values.email}
        error={errors.email}
        onChange={(value) => onChange('email', value)}
        onLeave={() => onLeave('email')}
      />
      <PasswordField
        name="password"
        label="Mot de passe"
        autoComplete="current-password"
        value={values.password}
        error={errors.password}
        onChange={(value) => onChange('password', value)}
        onLeave={() => onLeave('password')}
      />
      <button
        type="button"
        className={styles['forgot']}
        aria-disabled={props.isSendingLink}
        onMouseDown={keepFocus}
        onClick={onForgot}
      >
        Mot de passe oublié{'\u202f'}?
      </button>
      <div role="presentation" className={styles['actions']} onMouseDown={keepFocus}>
        <Button type="submit" loading={props.isSending} className={styles['submit']}>
          Se connecter
        </Button>
        <Button variant="default" onClick={onCancel}>
          Annuler
        </Button>
      </div>
    </form>
  );
}
