import { Button, Stack } from '@mantine/core';
import { Clock, KeyRound } from 'lucide-react';
import type { FormEvent } from 'react';
import type { DraftForm } from '../../kit/form/useDraftForm';
import { Callout } from '../../ui/Callout';
import { PasswordField } from '../../kit/form/PasswordField';
import { useFocusOnMount } from '../../ui/focus';
import { EmailField, FailureNote, type Credentials, SubmitRow } from './LoginFields';
import type { Failure } from './login';
import styles from './sessions.module.css';

type PasskeyButtonProps = { isAsking: boolean; onAsk: () => void };

type Props = {
  form: DraftForm<Credentials>;
  failure: Failure | undefined;
  /** The server's answer to a forgotten password. */
  answer: string | undefined;
  isExpired: boolean;
  isSending: boolean;
  isSendingLink: boolean;
  /** Undefined where there are no passkeys. */
  passkey: PasskeyButtonProps | undefined;
  onSubmit: (event: FormEvent) => void;
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

const PasskeyButton = ({ isAsking, onAsk }: PasskeyButtonProps) => (
  <Button variant="default" leftSection={<KeyRound size={16} aria-hidden />} loading={isAsking} onClick={onAsk}>
    Se connecter avec une clé d’accès
  </Button>
);

export function LoginForm({ form, passkey, onSubmit, onForgot, onCancel, ...props }: Props) {
  const first = useFocusOnMount<HTMLInputElement>();
  return (
    <form noValidate method="post" onSubmit={onSubmit}>
      <Stack>
        <Notes {...props} />
        <EmailField ref={first} {...form.field('email')} />
        <PasswordField label="Mot de passe" autoComplete="current-password" {...form.field('password')} />
        <button type="button" className={styles['forgot']} aria-disabled={props.isSendingLink} onClick={onForgot}>
          Mot de passe oublié{'\u202f'}?
        </button>
        <SubmitRow action="Se connecter" isSending={props.isSending}>
          <Button variant="default" onClick={onCancel}>
            Annuler
          </Button>
        </SubmitRow>
        {passkey && <PasskeyButton {...passkey} />}
      </Stack>
    </form>
  );
}
