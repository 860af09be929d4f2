import type { Login, LoginResult } from '@vigie/contracts/sessions';
import type { Me } from '@vigie/contracts/users';
import { useEffect, useRef, useState } from 'react';
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
  /** Says something that is no failure of Vigie, and needs no toast. */
  const explain = (sentence: string) => setFailure({ sentence, retryAfter: undefined, isHarmless: true });
  const clear = () => setFailure(undefined);
  const goToStep = (next: Step) => {
    clear();
    setStep(next);
  };
  return { step, failure, fail, explain, clear, goToStep };
}

export type LoginReply = { data?: LoginResult; error?: unknown };
/** What a person waits for: an answer to what they typed, or the dialog of their browser. */
type Pending = 'form' | 'passkey';

/** Runs one attempt at a time, whose answer counts only while no other has begun and nobody has cancelled it. */
function useAttempts() {
  const [pending, setPending] = useState<Pending>();
  const last = useRef<AbortController>(undefined);
  const cancel = () => {
    last.current?.abort();
    setPending(undefined);
  };
  // The dialog of the browser would outlive the page that asked for it.
  useEffect(() => () => last.current?.abort(), []);
  const attempt = async <T>(kind: Pending, run: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> => {
    cancel();
    const controller = new AbortController();
    last.current = controller;
    setPending(kind);
    const reply = await run(controller.signal);
    if (controller.signal.aborted) return undefined;
    setPending(undefined);
    return reply;
  };
  return { pending, attempt, cancel };
}

/** Sends the same call at each step, with one more proof. */
export function useLogin(onLoggedIn: OnLoggedIn) {
  const [login] = sessionsApi.useLoginMutation();
  const { pending, attempt, cancel } = useAttempts();
  const { step, failure, fail, explain, clear, goToStep } = useStep();
  const request = (body: Login, signal: AbortSignal): Promise<LoginReply> => {
    const call = login(body);
    signal.addEventListener('abort', () => call.abort());
    return call;
  };
  const finish = ({ data: answer, error }: LoginReply, isSettingUp = false): void => {
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
  const send = async (body: Login, isSettingUp = false): Promise<void> => {
    clear();
    const reply = await attempt('form', (signal) => request(body, signal));
    if (reply) finish(reply, isSettingUp);
  };
  /** Aborts a pending call, so that its answer cannot log in after a cancel. */
  const restart = () => {
    cancel();
    goToStep(firstStep);
  };
  return { step, failure, pending, attempt, request, finish, send, explain, clear, goToStep, restart };
}

export type LoginSteps = ReturnType<typeof useLogin>;

/** Requests a reset link; the answer never says whether the account exists. */
export function useForgotPassword() {
  const [requestLink, { data, error, isLoading, reset }] = sessionsApi.useForgotPasswordMutation();
  const send = async (email: string): Promise<void> => {
    const { data: answer } = await requestLink({ email });
    if (answer) toast.success(answer.message);
  };
  return { send, failure: failureOf(error), answer: data?.message, isSending: isLoading, clear: reset };
}
