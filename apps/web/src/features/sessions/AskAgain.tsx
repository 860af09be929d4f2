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
import { useForgot } from './useForgot';

function checkFields({ email }: { email: string }) {
  const fault = checkEmail(email);
  return fault === undefined ? {} : { email: fault };
}

/** A link that no longer opens anything, and another one for the asking. */
export function AskAgain({ sentence }: { sentence: string }) {
  const { send, failure, answer, isSending } = useForgot();
  const { form, values, errors, change, leave, check } = useFields({ email: '' }, checkFields);
  const first = useFocusOnMount<HTMLInputElement>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isSending && check(['email'])) void send(values.email);
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
        ref={first}
        value={values.email}
        error={errors.email}
        onChange={(value) => change('email', value)}
        onLeave={() => leave('email')}
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
