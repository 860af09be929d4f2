import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { Callout } from '../../ui/Callout';
import { useFocusOnMount } from '../../ui/useFocusOnMount';
import { EmailField } from './EmailField';
import { FailureNote } from './FailureNote';
import { checkEmail } from './fields';
import styles from './forms.module.css';
import { keepFocus, useFields } from './useFields';
import { useForgotPassword } from './useForgotPassword';

function checkFields({ email }: { email: string }) {
  const error = checkEmail(email);
  return error === undefined ? {} : { email: error };
}

/** Says why a reset link does not work, and sends a new one. */
export function RequestNewLink({ sentence }: { sentence: string }) {
  const { send, failure, answer, isSending } = useForgotPassword();
  const { form, values, errors, change, validateField, validate } = useFields({ email: '' }, checkFields);
  const emailField = useFocusOnMount<HTMLInputElement>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isSending && validate(['email'])) void send(values.email);
  };
  return (
    <form ref={form} noValidate method="post" className={styles['form']} onSubmit={submit}>
      {answer === undefined && failure === undefined && (
        <div role="alert">
          <Callout tone="danger">{sentence}</Callout>
        </div>
      )}
      <FailureNote failure={failure} />
      <output>{answer !== undefined && <Callout tone="ok">{answer}</Callout>}</output>
      <EmailField
        ref={emailField}
        value={values.email}
        error={errors.email}
        onChange={(value) => change('email', value)}
        onLeave={() => validateField('email')}
      />
      <div role="presentation" className={styles['actions']} onMouseDown={keepFocus}>
        <Button type="submit" loading={isSending} className={styles['submit']}>
          Recevoir un nouveau lien
        </Button>
        <Button variant="default" component={Link} to="/login">
          Connexion
        </Button>
      </div>
    </form>
  );
}
