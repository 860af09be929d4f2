import { Button, Group, Text, TextInput, type TextInputProps } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import { ForgotPassword, ResetPassword } from '@vigie/contracts/passwords';
import { type ReactNode, useEffect, useState } from 'react';
import { type FormErrors, schemaErrors } from '../../kit/form/errors';
import { Callout } from '../../ui/Callout';
import { formatWait } from '../../ui/dates';
import type { Failure } from './login';

export const EmailField = (props: TextInputProps) => (
  <TextInput
    type="email"
    inputMode="email"
    label="Email"
    autoComplete="username"
    autoCapitalize="none"
    spellCheck={false}
    {...props}
  />
);

type Props = {
  /** A verb: the label of the submit button. */
  action: string;
  isSending: boolean;
  /** The other way out. */
  children: ReactNode;
};

/** The buttons under a form of the login. */
export const SubmitRow = ({ action, isSending, children }: Props) => (
  <Group gap={8} mt={8} wrap="nowrap">
    <Button type="submit" loading={isSending} flex={1}>
      {action}
    </Button>
    {children}
  </Group>
);

/** Stays outside the alert and silent: a screen reader must not count the seconds. */
function RetryCountdown({ seconds }: { seconds: number }) {
  const [end] = useState(() => Date.now() + seconds * 1000);
  const [secondsLeft, setLeft] = useState(seconds);
  useEffect(() => {
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1000))), 500);
    return () => clearInterval(timer);
  }, [end]);
  return (
    <Text c="muted" mt={-8} role="timer" aria-live="off">
      {secondsLeft > 0 ? `Nouvel essai possible dans ${formatWait(secondsLeft)}.` : 'Vous pouvez réessayer.'}
    </Text>
  );
}

/** Always renders the alert element: screen readers announce only what changes inside it. */
export function FailureNote({ failure }: { failure: Failure | undefined }) {
  return (
    <>
      <div role="alert">
        {failure && <Callout tone={failure.isHarmless ? 'info' : 'danger'}>{failure.sentence}</Callout>}
      </div>
      {failure?.retryAfter !== undefined && <RetryCountdown key={failure.retryAfter} seconds={failure.retryAfter} />}
    </>
  );
}

export type Credentials = Record<'email' | 'password', string>;
export type NewPassword = Record<'password' | 'confirmation', string>;

export const checkEmail = (values: { email: string }): { email?: string } => schemaErrors(ForgotPassword, values);

/** Finds the errors that need no request. */
export const checkCredentials = (values: Credentials): FormErrors<Credentials> => ({
  ...checkEmail(values),
  ...(values.password === '' && { password: 'Veuillez saisir votre mot de passe.' }),
});

export function checkNewPassword({ password, confirmation }: NewPassword): FormErrors<NewPassword> {
  const refusals: FormErrors<NewPassword> = schemaErrors(ResetPassword.pick({ password: true }), { password });
  if (refusals.password !== undefined || confirmation === password) return refusals;
  return { confirmation: 'La confirmation ne correspond pas au nouveau mot de passe.' };
}
