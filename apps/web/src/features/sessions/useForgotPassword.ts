import { toast } from '../../ui/toasts';
import { failureOf } from './failure';
import { sessionsApi } from './sessions.api';

/** Requests a reset link; the answer never says whether the account exists. */
export function useForgotPassword() {
  const [requestLink, { data, error, isLoading, reset }] = sessionsApi.useForgotPasswordMutation();
  const send = async (email: string): Promise<void> => {
    const { data: answer } = await requestLink({ email });
    if (answer) toast.success(answer.message);
  };
  return { send, failure: failureOf(error), answer: data?.message, isSending: isLoading, clear: reset };
}
