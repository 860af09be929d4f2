import { Button } from '@mantine/core';
import { ResetPassword } from '@vigie/contracts/passwords';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { isApiError } from '../../kit/query/api-error';
import { sentenceOf } from '../../kit/query/failures';
import { Callout } from '../../ui/Callout';
import { toast } from '../../ui/toasts';
import { useFocusOnMount } from '../../ui/useFocusOnMount';
import { RequestNewLink } from './RequestNewLink';
import type { Failure } from './failure';
import { LoginLayout } from './LoginLayout';
import styles from './forms.module.css';
import { NewPasswordForm } from './NewPasswordForm';
import { invalidLink, sessionsApi } from './sessions.api';

function useReset(token: string | undefined) {
  const [reset, { isLoading }] = sessionsApi.useResetPasswordMutation();
  const [failure, setFailure] = useState<Failure>();
  const [linkError, setLinkError] = useState(
    ResetPassword.shape.token.safeParse(token).success ? undefined : invalidLink,
  );
  const [answer, setAnswer] = useState<string>();
  const send = async (password: string): Promise<void> => {
    if (token === undefined || isLoading) return;
    setFailure(undefined);
    const { data, error } = await reset({ token, password });
    if (data) {
      setAnswer(data.message);
      return toast.success(data.message);
    }
    const apiError = isApiError(error) ? error : undefined;
    const sentence = sentenceOf(error) ?? '';
    if (apiError?.status === 400) setLinkError(sentence);
    else setFailure({ sentence, retryAfter: apiError?.retryAfter });
  };
  return { send, failure, linkError, answer, isSending: isLoading };
}

function ResetDone({ sentence }: { sentence: string }) {
  const loginLink = useFocusOnMount<HTMLAnchorElement>();
  return (
    <div className={styles['form']}>
      <output>
        <Callout tone="ok">{sentence}</Callout>
      </output>
      <Button ref={loginLink} component={Link} to="/login">
        Se connecter
      </Button>
    </div>
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
