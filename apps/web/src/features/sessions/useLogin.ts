import type { Login } from '@vigie/contracts/sessions';
import type { Me } from '@vigie/contracts/users';
import { useRef, useState } from 'react';
import { type ApiError, errorDetails, isApiError } from '../../kit/query/api-error';
import { toast } from '../../ui/toasts';
import { type Failure, failureOf, firstStep, loginSentence, type Step, stepAfter, userOf } from './login';
import { sessionsApi } from './sessions.api';

/** `isSettingUp`: the user chose to set up 2FA now. */
export type OnLoggedIn = (token: string, user: Me, isSettingUp: boolean) => void;

function useStep() {
  const [step, setStep] = useState(firstStep);
  const [failure, setFailure] = useState<Failure>();
  const fail = (sentence: string, error?: ApiError) => {
    const isRejected = error?.kind === 'http' && error.status === 401;
    setFailure({ sentence, retryAfter: error?.retryAfter, isRejected });
    toast.error(sentence, error && errorDetails(error));
  };
  const clear = () => setFailure(undefined);
  const goToStep = (next: Step) => {
    clear();
    setStep(next);
  };
  return { step, failure, fail, clear, goToStep };
}

/** Sends the same call at each step, with one more proof. */
export function useLogin(onLoggedIn: OnLoggedIn) {
  const [login, { isLoading }] = sessionsApi.useLoginMutation();
  const pendingCall = useRef<ReturnType<typeof login>>(undefined);
  const { step, failure, fail, clear, goToStep } = useStep();
  const send = async (body: Login, isSettingUp = false): Promise<void> => {
    clear();
    const call = login(body);
    pendingCall.current = call;
    const { data: answer, error } = await call;
    if (pendingCall.current !== call) return;
    if (!answer) {
      if (!isApiError(error)) return fail('Login failed');
      const stepPosition = step.name === 'credentials' ? 'first' : 'second';
      return fail(loginSentence(error, stepPosition), error);
    }
    const user = userOf(answer);
    if (answer.access_token !== undefined)
      return user ? onLoggedIn(answer.access_token, user, isSettingUp) : fail('Login failed');
    const next = stepAfter(answer);
    // The same step again would look as if nothing had happened.
    return next && next.name !== step.name ? goToStep(next) : fail('Token manquant');
  };
  /** Aborts a pending call, so that its answer cannot log in after a cancel. */
  const restart = () => {
    pendingCall.current?.abort();
    pendingCall.current = undefined;
    goToStep(firstStep);
  };
  return {
    step,
    failure,
    isSending: isLoading,
    send,
    clear,
    restart,
  };
}

/** Requests a reset link; the answer never says whether the account exists. */
export function useForgotPassword() {
  const [requestLink, { data, error, isLoading, reset }] = sessionsApi.useForgotPasswordMutation();
  const send = async (email: string): Promise<void> => {
    const { data: answer } = await requestLink({ email });
    if (answer) toast.success(answer.message);
  };
  return { send, failure: failureOf(error), answer: data?.message, isSending: isLoading, clear: reset };
}
