import { Button, Stack } from '@mantine/core';
import type { Output } from '@vigie/contracts/contract';
import { ResetPassword, type resetPassword } from '@vigie/contracts/passwords';
import { Link } from '@tanstack/react-router';
import { isApiError } from '../../kit/query/api-error';
import { Callout } from '../../ui/Callout';
import { toast } from '../../ui/toasts';
import { useFocusOnMount } from '../../ui/focus';
import { failureOf, type Failure } from './login';
import { LoginLayout } from './LoginLayout';
import { invalidLink, sessionsApi } from './sessions.api';
import { PasswordField } from '../../kit/form/PasswordField';
import { FailureNote, checkNewPassword, type NewPassword, checkEmail, EmailField, SubmitRow } from './LoginFields';
import { useDraftForm } from '../../kit/form/useDraftForm';
import { useForgotPassword } from './useLogin';

/** Says why a reset link does not work, and sends a new one. */
function RequestNewLink({ sentence }: { sentence: string }) {
  const { send, failure, answer, isSending } = useForgotPassword();
  const form = useDraftForm({
    name: 'reset-link',
    checksOnLeave: 'filled',
    initial: { email: '' },
    validate: checkEmail,
  });
  const emailField = useFocusOnMount<HTMLInputElement>();
  const submit = form.submit(({ email }) => {
    if (!isSending) void send(email);
  });
  return (
    <form noValidate method="post" onSubmit={submit}>
      <Stack>
        {answer === undefined && failure === undefined && (
          <div role="alert">
            <Callout tone="danger">{sentence}</Callout>
          </div>
        )}
        <FailureNote failure={failure} />
        <output>{answer !== undefined && <Callout tone="ok">{answer}</Callout>}</output>
        <EmailField ref={emailField} {...form.field('email')} />
        <SubmitRow action="Recevoir un nouveau lien" isSending={isSending}>
          <Button variant="default" component={Link} to="/login">
            Connexion
          </Button>
        </SubmitRow>
      </Stack>
    </form>
  );
}

const blank: NewPassword = { password: '', confirmation: '' };
const fields = ['password', 'confirmation'] as const;
const labels = { password: 'Nouveau mot de passe', confirmation: 'Confirmation' };

type Props = { failure: Failure | undefined; isSending: boolean; onSubmit: (password: string) => void };

function NewPasswordForm({ failure, isSending, onSubmit }: Props) {
  const form = useDraftForm({
    name: 'new-password',
    checksOnLeave: 'filled',
    initial: blank,
    secrets: blank,
    validate: checkNewPassword,
  });
  const passwordField = useFocusOnMount<HTMLInputElement>();
  return (
    <form noValidate method="post" onSubmit={form.submit(({ password }) => onSubmit(password))}>
      <Stack>
        <FailureNote failure={failure} />
        {fields.map((name) => (
          <PasswordField
            key={name}
            {...(name === 'password' && { ref: passwordField, hint: '8 caractères au moins' })}
            label={labels[name]}
            autoComplete="new-password"
            {...form.field(name)}
          />
        ))}
        <Button type="submit" loading={isSending} mt={8}>
          Enregistrer le mot de passe
        </Button>
      </Stack>
    </form>
  );
}

const isToken = (token: string | undefined) => ResetPassword.shape.token.safeParse(token).success;

function useReset(token: string | undefined) {
  const [reset, { data, error, isLoading }] = sessionsApi.useResetPasswordMutation();
  const send = async (password: string): Promise<void> => {
    if (token === undefined || isLoading) return;
    const { data: answer } = await reset({ token, password });
    if (answer?.passkey_count === 0) toast.success(answer.message);
  };
  const isRefused = isApiError(error) && error.status === 400;
  return {
    send,
    failure: isRefused ? undefined : failureOf(error),
    linkError: isToken(token) ? (isRefused ? error.sentence : undefined) : invalidLink,
    answer: data,
    isSending: isLoading,
  };
}

function ResetDone({ answer: { message, passkey_count: passkeys } }: { answer: Output<typeof resetPassword> }) {
  const loginLink = useFocusOnMount<HTMLAnchorElement>();
  return (
    <Stack>
      <output>
        <Callout tone={passkeys > 0 ? 'warn' : 'ok'}>
          {message}
          {passkeys > 0 && (
            <>
              {' '}
              <Link to="/login" search={{ next: '/security/2fa' }}>
                Voir les clés d’accès
              </Link>
            </>
          )}
        </Callout>
      </output>
      <Button ref={loginLink} component={Link} to="/login">
        Se connecter
      </Button>
    </Stack>
  );
}

/** The page that a reset link opens, with or without a session. */
export function ResetPage({ token }: { token: string | undefined }) {
  const { send, failure, linkError, answer, isSending } = useReset(token);
  return (
    <LoginLayout title="Nouveau mot de passe" lead={leadOf(answer !== undefined, linkError)}>
      {answer !== undefined && <ResetDone answer={answer} />}
      {answer === undefined && linkError !== undefined && <RequestNewLink sentence={linkError} />}
      {answer === undefined && linkError === undefined && (
        <NewPasswordForm failure={failure} isSending={isSending} onSubmit={(password) => void send(password)} />
      )}
    </LoginLayout>
  );
}

function leadOf(isDone: boolean, linkError: string | undefined): string {
  if (isDone) return 'C’est fait.';
  if (linkError !== undefined) return 'Un lien ne sert qu’une fois, pendant trente minutes.';
  return 'Il remplacera celui que vous avez oublié.';
}
