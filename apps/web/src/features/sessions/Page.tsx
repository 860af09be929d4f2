import { CodeStep } from './CodeStep';
import { type Credentials, checkCredentials } from './fields';
import { Frame } from './Frame';
import { GraceStep } from './GraceStep';
import { LoginForm } from './LoginForm';
import type { Step } from './steps';
import { useFields } from './useFields';
import { useForgot } from './useForgot';
import { type OnLoggedIn, useLogin } from './useLogin';

const blank: Credentials = { email: '', password: '' };

function headingOf(step: Step): { title: string; lead: string } {
  if (step.name === 'credentials') {
    return { title: 'Connexion', lead: 'Accédez à la console de vos sites WordPress.' };
  }
  const lead =
    step.name === 'code'
      ? 'Votre compte demande un code en plus du mot de passe.'
      : 'La console demande à votre compte un code en plus du mot de passe.';
  return { title: 'Double authentification', lead: step.message ?? lead };
}

type Props = { isExpired: boolean; onLoggedIn: OnLoggedIn };

export function LoginPage({ isExpired, onLoggedIn }: Props) {
  const login = useLogin(onLoggedIn);
  const forgot = useForgot();
  const { form, values, errors, change, leave, check, clear } = useFields(blank, checkCredentials);
  const { step, failure, isSending, send, restart } = login;
  const forget = () => {
    login.forget();
    forgot.forget();
  };
  const begin = () => {
    forgot.forget();
    if (!isSending && check(['email', 'password'])) void send(values);
  };
  const askForLink = () => {
    login.forget();
    if (!forgot.isSending && check(['email'])) void forgot.send(values.email);
  };
  const cancel = () => {
    restart();
    forgot.forget();
    clear('email');
  };
  const second = { failure, isSending, onCancel: restart };
  return (
    <Frame {...headingOf(step)}>
      {step.name === 'credentials' && (
        <LoginForm
          {...{ form, values, errors, isExpired, isSending }}
          failure={failure ?? forgot.failure}
          answer={forgot.answer}
          isAsking={forgot.isSending}
          onChange={change}
          onLeave={leave}
          onSubmit={begin}
          onForgot={askForLink}
          onCancel={cancel}
        />
      )}
      {step.name === 'code' && (
        <CodeStep
          {...second}
          email={values.email}
          onTurn={forget}
          onSubmit={(proof) => void send({ ...values, ...proof })}
        />
      )}
      {step.name === 'grace' && (
        <GraceStep
          {...second}
          remaining={step.remaining}
          onEnter={(isSettingUp) => void send({ ...values, skip_2fa: true }, isSettingUp)}
        />
      )}
    </Frame>
  );
}
