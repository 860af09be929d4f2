import { Button, Stack } from '@mantine/core';
import { ResetPassword } from '@vigie/contracts/passwords';
import { Link } from '@tanstack/react-router';
import { isApiError } from '../../kit/query/api-error';
import { Callout } from '../../ui/Callout';
import { toast } from '../../ui/toasts';
import { useFocusOnMount } from '../../ui/useFocusOnMount';
import { RequestNewLink } from './RequestNewLink';
import { failureOf } from './failure';
import { LoginLayout } from './LoginLayout';
import { NewPasswordForm } from './NewPasswordForm';
import { invalidLink, sessionsApi } from './sessions.api';

const isToken = (token: string | undefined) => ResetPassword.shape.token.safeParse(token).success;

function useReset(token: string | undefined) {
  const [reset, { data, error, isLoading }] = sessionsApi.useResetPasswordMutation();
  const send = async (password: string): Promise<void> => {
    if (token === undefined || isLoading) return;
    const { data: answer } = await reset({ token, password });
    if (answer) toast.success(answer.message);
  };
  const isRefused = isApiError(error) && error.status === 400;
  return {
    send,
    failure: isRefused ? undefined : failureOf(error),
    linkError: isToken(token) ? (isRefused ? error.sentence : undefined) : invalidLink,
    answer: data?.message,
    isSending: isLoading,
  };
}

function ResetDone({ sentence }: { sentence: string }) {
  const loginLink = useFocusOnMount<HTMLAnchorElement>();
  return (
    <Stack>
      <output>
        <Callout tone="ok">{sentence}</Callout>
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
    <LoginLayout title="Nouveau mot de passe" lead={leadOf(answer, linkError)}>
      {answer !== undefined && <ResetDone sentence={answer} />}
      {answer === undefined && linkError !== undefined && <RequestNewLink sentence={linkError} />}
      {answer === undefined && linkError === undefined && (
        <NewPasswordForm failure={failure} isSending={isSending} onSubmit={(password) => void send(password)} />
      )}
    </LoginLayout>
  );
}

function leadOf(answer: string | undefined, linkError: string | undefined): string {
  if (answer !== undefined) return 'C’est fait.';
  if (linkError !== undefined) return 'Un lien ne sert qu’une fois, pendant trente minutes.';
  return 'Il remplacera celui que vous avez oublié.';
}
