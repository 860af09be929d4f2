import type { PasskeyRequestOptions } from '@vigie/contracts/passkeys';
import { useRef } from 'react';
import { askForPasskey, isStillGood } from '../../kit/passkeys/ask';
import { type CodeStep, stepAfter } from './login';
import type { Credentials } from './LoginFields';
import { passkeyLoginsApi } from './passkey-logins.api';
import type { LoginReply, LoginSteps } from './useLogin';

/** What came of a question: the server's reply, or the reason why there is none. */
type Outcome = { reply: LoginReply } | { sentence: string | undefined };

const noneIsLeft = 'Votre compte n’a plus de clé d’accès. Saisissez un code.';

/** Logs in with a passkey, alone or after the password. */
export function usePasskeyLogin({ attempt, request, finish, explain, clear, goToStep }: LoginSteps) {
  const [offer] = passkeyLoginsApi.useOfferPasskeyLoginMutation();
  const [loginWithPasskey] = passkeyLoginsApi.useLoginWithPasskeyMutation();
  /** The server takes a challenge once, whatever it answers. */
  const used = useRef<PasskeyRequestOptions>(undefined);

  const run = async (ask: (signal: AbortSignal) => Promise<Outcome>): Promise<void> => {
    clear();
    const outcome = await attempt('passkey', ask);
    if (outcome && 'reply' in outcome) finish(outcome.reply);
    else if (outcome?.sentence !== undefined) explain(outcome.sentence);
  };

  const logIn = () =>
    run(async (signal) => {
      const offered = await offer();
      if (!offered.data) return { reply: { error: offered.error } };
      const answer = await askForPasskey('login', offered.data, signal);
      if ('sentence' in answer) return answer;
      const call = loginWithPasskey(answer);
      signal.addEventListener('abort', () => call.abort());
      return { reply: await call };
    });

  const answerStep = (step: CodeStep, credentials: Credentials) =>
    run(async (signal) => {
      let options = step.passkeyOptions;
      if (!options || options === used.current || !isStillGood(options, step.receivedAt)) {
        const reply = await request(credentials, signal);
        const next = reply.data && stepAfter(reply.data);
        if (next?.name !== 'code' || signal.aborted) return { reply };
        goToStep(next);
        options = next.passkeyOptions;
        if (!options) return { sentence: noneIsLeft };
      }
      const answer = await askForPasskey('second-factor', options, signal);
      if ('sentence' in answer) return answer;
      used.current = options;
      return { reply: await request({ ...credentials, passkey: answer.response }, signal) };
    });

  return { logIn, answerStep };
}
