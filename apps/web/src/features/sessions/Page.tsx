import { CodeStep } from './CodeStep';
import { type Credentials, checkCredentials } from './fields';
import { LoginLayout } from './LoginLayout';
import { GraceStep } from './GraceStep';
import { LoginForm } from './LoginForm';
import type { Step } from './steps';
import { useDraftForm } from '../../kit/form/useDraftForm';
import { useForgotPassword } from './useForgotPassword';
import { type OnLoggedIn, useLogin } from './useLogin';

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

type Props = { isExpired: boolean; onLoggedIn: OnLoggedIn };

export function LoginPage({ isExpired, onLoggedIn }: Props) {
  const login = useLogin(onLoggedIn);
  const forgot = useForgotPassword();
  const form = useCredentials();
  const { values } = form;
  const { step, failure, isSending, send, restart } = login;
  const clearMessages = () => {
    login.clear();
    forgot.clear();
  };
  const submitCredentials = form.submit((credentials) => {
    forgot.clear();
    if (!isSending) void send(credentials);
  });
  const askForLink = () => {
    login.clear();
    if (!forgot.isSending && form.check(['email'])) void forgot.send(values.email);
  };
  const cancel = () => {
    restart();
    forgot.clear();
    form.reset();
    form.focus('email');
  };
  const secondStep = { failure, isSending, onCancel: restart };
  return (
    <LoginLayout {...headingOf(step)}>
      {step.name === 'credentials' && (
        <LoginForm
          {...{ form, isExpired, isSending }}
          failure={failure ?? forgot.failure}
          answer={forgot.answer}
          isSendingLink={forgot.isSending}
          onSubmit={submitCredentials}
          onForgot={askForLink}
          onCancel={cancel}
        />
      )}
      {step.name === 'code' && (
        <CodeStep
          {...secondStep}
          email={values.email}
          onTabChange={clearMessages}
          onSubmit={(proof) => void send({ ...values, ...proof })}
        />
      )}
      {step.name === 'grace' && (
        <GraceStep
          {...secondStep}
          remaining={step.remaining}
          onContinue={(isSettingUp) => void send({ ...values, skip_2fa: true }, isSettingUp)}
        />
      )}
    </LoginLayout>
  );
}
