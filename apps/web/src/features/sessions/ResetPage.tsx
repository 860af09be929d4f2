import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { isApiError } from '../../app/api-error';
import { tellFailure } from '../../app/tellFailure';
import { Callout } from '../../ui/Callout';
import { toast } from '../../ui/toasts';
import { useFocusOnMount } from '../../ui/useFocusOnMount';
import { AskAgain } from './AskAgain';
import type { Failure } from './failure';
import { isResetToken } from './fields';
import { Frame } from './Frame';
import styles from './forms.module.css';
import { NewPasswordForm } from './NewPasswordForm';
import { sessionsApi } from './sessions.api';

const deadLink = 'Ce lien n’est pas valide ou a expiré.';

function useReset(token: string | undefined) {
  const [reset, { isLoading }] = sessionsApi.useResetPasswordMutation();
  const [failure, setFailure] = useState<Failure>();
  const [dead, setDead] = useState(isResetToken(token) ? undefined : deadLink);
  const [answer, setAnswer] = useState<string>();
  const send = async (password: string): Promise<void> => {
    if (token === undefined || isLoading) return;
    setFailure(undefined);
    const { data, error } = await reset({ token, password });
    if (data) {
      setAnswer(data.message);
      return toast.success(data.message);
    }
    const refused = isApiError(error) ? error : undefined;
    const isDead = refused?.status === 400;
    const sentence = tellFailure(error, isDead ? deadLink : 'Erreur de connexion');
    if (isDead) setDead(sentence);
    else setFailure({ sentence, retryAfter: refused?.retryAfter });
  };
  return { send, failure, dead, answer, isSending: isLoading };
}

function Done({ sentence }: { sentence: string }) {
  const way = useFocusOnMount<HTMLAnchorElement>();
  return (
    <div className={styles['form']}>
      <output>
        <Callout tone="ok">{sentence}</Callout>
      </output>
      <Button ref={way} component={Link} to="/login">
        Se connecter
      </Button>
    </div>
  );
}

/** The end of the link of a mail. It needs no session, and minds none. */
export function ResetPage({ token }: { token: string | undefined }) {
  const { send, failure, dead, answer, isSending } = useReset(token);
  return (
    <Frame title="Nouveau mot de passe" lead={leadOf(answer, dead)}>
      {answer !== undefined && <Done sentence={answer} />}
      {answer === undefined && dead !== undefined && <AskAgain sentence={dead} />}
      {answer === undefined && dead === undefined && (
        <NewPasswordForm failure={failure} isSending={isSending} onSubmit={(password) => void send(password)} />
      )}
    </Frame>
  );
}

function leadOf(answer: string | undefined, dead: string | undefined): string {
  if (answer !== undefined) return 'C’est fait.';
  if (dead !== undefined) return 'Un lien sert une fois, pendant trente minutes.';
  return 'Il remplacera celui que vous avez oublié.';
}
