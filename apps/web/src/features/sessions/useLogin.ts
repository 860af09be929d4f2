import type { Login } from '@vigie/contracts/sessions';
import type { Me } from '@vigie/contracts/users';
import { useRef, useState } from 'react';
import { type ApiError, detailsOf, isApiError } from '../../app/api-error';
import { toast } from '../../ui/toasts';
import { type Failure, loginSentence } from './failure';
import { sessionsApi } from './sessions.api';
import { firstStep, meOf, type Step, stepAfter } from './steps';

/** `isSettingUp`: the person chose to set up the 2FA now. */
export type OnLoggedIn = (token: string, me: Me, isSettingUp: boolean) => void;

/** The same call at each step, with more in it. */
export function useLogin(onLoggedIn: OnLoggedIn) {
  const [login, { isLoading }] = sessionsApi.useLoginMutation();
  const sending = useRef<ReturnType<typeof login>>(undefined);
  const [step, setStep] = useState(firstStep);
  const [failure, setFailure] = useState<Failure>();
  const fail = (sentence: string, error?: ApiError) => {
    const isRefused = error?.kind === 'http' && error.status === 401;
    setFailure({ sentence, retryAfter: error?.retryAfter, isRefused });
    toast.error(sentence, error && detailsOf(error));
  };
  const go = (next: Step) => {
    setFailure(undefined);
    setStep(next);
  };
  const send = async (body: Login, isSettingUp = false): Promise<void> => {
    setFailure(undefined);
    const call = login(body);
    sending.current = call;
    const { data: answer, error } = await call;
    if (sending.current !== call) return;
    if (!answer) {
      if (!isApiError(error)) return fail('Login failed');
      const place = step.name === 'credentials' ? 'first' : 'second';
      return fail(loginSentence(error, place), error);
    }
    const me = meOf(answer);
    if (answer.access_token !== undefined)
      return me ? onLoggedIn(answer.access_token, me, isSettingUp) : fail('Login failed');
    const next = stepAfter(answer);
    // Asked again for what was just given, a person would see nothing happen.
    return next && next.name !== step.name ? go(next) : fail('Token manquant');
  };
  /** Whoever cancels is not logged in by an answer that was on its way. */
  const restart = () => {
    sending.current?.abort();
    sending.current = undefined;
    go(firstStep);
  };
  return {
    step,
    failure,
    isSending: isLoading,
    send,
    forget: () => setFailure(undefined),
    restart,
  };
}
