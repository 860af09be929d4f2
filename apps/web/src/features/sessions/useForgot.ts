import { useState } from 'react';
import { isApiError } from '../../app/api-error';
import { tellFailure } from '../../app/tellFailure';
import { toast } from '../../ui/toasts';
import type { Failure } from './failure';
import { sessionsApi } from './sessions.api';

const fallback = 'Impossible de traiter la demande pour le moment.';

/** Asks for a mail with a link; the answer never says whether there is such an account. */
export function useForgot() {
  const [ask, { isLoading }] = sessionsApi.useForgotPasswordMutation();
  const [failure, setFailure] = useState<Failure>();
  const [answer, setAnswer] = useState<string>();
  const forget = () => {
    setFailure(undefined);
    setAnswer(undefined);
  };
  const send = async (email: string): Promise<void> => {
    forget();
    const { data, error } = await ask({ email });
    if (data) {
      setAnswer(data.message);
      return toast.success(data.message);
    }
    setFailure({
      sentence: tellFailure(error, fallback),
      retryAfter: isApiError(error) ? error.retryAfter : undefined,
    });
  };
  return { send, failure, answer, isSending: isLoading, forget };
}
