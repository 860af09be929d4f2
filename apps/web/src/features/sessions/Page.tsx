import { useEffect } from 'react';
import { prepareToAsk } from '../../kit/passkeys/ask';
import { unsupportedReason } from '../../kit/passkeys/support';
import { useBrand } from '../../ui/brand';
import { type Credentials, checkCredentials } from './LoginFields';
import { LoginLayout } from './LoginLayout';
import { LoginForm } from './LoginForm';
import type { Step } from './login';
import { SecondStep } from './SecondStep';
import { useDraftForm } from '../../kit/form/useDraftForm';
import { type LoginSteps, type OnLoggedIn, useForgotPassword, useLogin } from './useLogin';
import { usePasskeyLogin } from './usePasskeyLogin';

const blank: Credentials = { email: '', password: '' };

function headingOf(step: Step): { title: string; lead: string } {
  if (step.name === 'credentials') {
    return { title: 'Connexion', lead: 'Accédez à la console de vos sites WordPress.' };
  }
  const lead =
    step.name === 'code'
      ? 'Votre compte demande un code en plus du mot de passe.'
      : 'Cette console exige un code en plus du mot de passe.';
  return { title: 'Double authentification', lead: step.message ?? lead };
}

const useCredentials = () =>
  useDraftForm({ name: 'login', checksOnLeave: 'filled', initial: blank, secrets: blank, validate: checkCredentials });

/** The handlers of the first step. */
function useFirstStep(login: LoginSteps, logInWithPasskey: () => Promise<void>) {
  const forgot = useForgotPassword();
  const form = useCredentials();
  const isSending = login.pending === 'form';
  const submit = form.submit((credentials) => {
    forgot.clear();
    if (!isSending) void login.send(credentials);
  });
  const askForLink = () => {
    login.clear();
    if (!forgot.isSending && form.check(['email'])) void forgot.send(form.values.email);
  };
  const askForPasskey = () => {
    forgot.clear();
    void logInWithPasskey();
  };
  const cancel = () => {
    login.restart();
    forgot.clear();
    form.reset();
    form.focus('email');
  };
  return { form, forgot, isSending, submit, askForLink, askForPasskey, cancel };
}

/** Whether passkeys can be used at this address, whose code is then loaded. */
function usePasskeySupport(): boolean {
  const { passkey_origin: origin } = useBrand();
  const hasPasskeys = typeof origin === 'string' && unsupportedReason(origin) === undefined;
  useEffect(() => {
    if (hasPasskeys) prepareToAsk();
  }, [hasPasskeys]);
  return hasPasskeys;
}

type Props = { isExpired: boolean; onLoggedIn: OnLoggedIn };

export function LoginPage({ isExpired, onLoggedIn }: Props) {
  const login = useLogin(onLoggedIn);
  const passkeys = usePasskeyLogin(login);
  const hasPasskeys = usePasskeySupport();
  const { form, forgot, isSending, ...first } = useFirstStep(login, passkeys.logIn);
  const { step, failure, pending } = login;
  const clearMessages = () => {
    login.clear();
    forgot.clear();
  };
  return (
    <LoginLayout {...headingOf(step)}>
      {step.name === 'credentials' && (
        <LoginForm
          {...{ form, isExpired, isSending }}
          failure={failure ?? forgot.failure}
          answer={forgot.answer}
          isSendingLink={forgot.isSending}
          passkey={hasPasskeys ? { isAsking: pending === 'passkey', onAsk: first.askForPasskey } : undefined}
          onSubmit={first.submit}
          onForgot={first.askForLink}
          onCancel={first.cancel}
        />
      )}
      <SecondStep
        login={login}
        values={form.values}
        onPasskey={(codeStep) => void passkeys.answerStep(codeStep, form.values)}
        onTabChange={clearMessages}
      />
    </LoginLayout>
  );
}
