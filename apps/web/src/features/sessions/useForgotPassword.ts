import { useState } from 'react';
import { isApiError } from '../../kit/query/api-error';
import { sentenceOf } from '../../kit/query/failures';
import { toast } from '../../ui/toasts';
import type { Failure } from './failure';
import { sessionsApi } from './sessions.api';

/** Requests a reset link; the answer never says whether the account exists. */
export function useForgotPassword() {
  const [requestLink, { isLoading }] = sessionsApi.useForgotPasswordMutation();
  const [failure, setFailure] = useState<Failure>();
  const [answer, setAnswer] = useState<string>();
  const clear = () => {
    setFailure(undefined);
    setAnswer(undefined);
  };
  const send = async (email: string): Promise<void> => {
    clear();
    const { data, error } = await requestLink({ email });
    if (data) {
      setAnswer(data.message);
      return toast.success(data.message);
    }
    setFailure({
      sentence: sentenceOf(error) ?? '',
      retryAfter: isApiError(error) ? error.retryAfter : undefined,
    });
  };
  return { send, failure, answer, isSending: isLoading, clear };
}
