import { type Credentials, checkCredentials, FailureNote } from './LoginFields';
import { LoginLayout } from './LoginLayout';
import { LoginForm } from './LoginForm';
import type { Step, Failure } from './login';
import { useDraftForm } from '../../kit/form/useDraftForm';
import { useForgotPassword, type OnLoggedIn, useLogin } from './useLogin';
import { Tabs, Button, Stack } from '@mantine/core';
import '@mantine/core/styles/Tabs.layer.css';
import { type ComponentProps, useState } from 'react';
import { CodeForm, type CodeKind } from './CodeForm';
import styles from './sessions.module.css';
import { Callout } from '../../ui/Callout';
import { plural } from '../../ui/plural';
import { useFocusOnMount } from '../../ui/focus';

type GraceStepProps = {
  remaining: number;
  failure: Failure | undefined;
  isSending: boolean;
  onContinue: (isSettingUp: boolean) => void;
  onCancel: () => void;
};

/** The policy requires 2FA, but allows a few more logins without it. */
function GraceStep({ remaining, failure, isSending, onContinue, onCancel }: GraceStepProps) {
  const [isSettingUp, setSettingUp] = useState(false);
  const first = useFocusOnMount<HTMLButtonElement>();
  const continueWith = (choice: boolean) => {
    if (isSending) return;
    setSettingUp(choice);
    onContinue(choice);
  };
  return (
    <Stack>
      <FailureNote failure={failure} />
      <div role="alert">
        <Callout tone="warn">
          Il vous reste {plural(remaining, 'connexion', 'connexions')} sans 2FA. Ensuite, il faudra la configurer pour
          utiliser la console.
        </Callout>
      </div>
      <Stack gap={8} mt={8}>
        <Button ref={first} loading={isSending && isSettingUp} onClick={() => continueWith(true)}>
          Configurer la 2FA maintenant
        </Button>
        <Button variant="default" loading={isSending && !isSettingUp} onClick={() => continueWith(false)}>
          Passer cette fois
        </Button>
        <Button variant="subtle" onClick={onCancel}>
          Annuler
        </Button>
      </Stack>
    </Stack>
  );
}

const tabs: readonly { kind: CodeKind; title: string }[] = [
  { kind: 'totp_code', title: 'Code de l’application' },
  { kind: 'backup_code', title: 'Code de récupération' },
];

type CodeStepProps = Omit<ComponentProps<typeof CodeForm>, 'kind'> & { onTabChange: () => void };

function CodeStep({ onTabChange, ...form }: CodeStepProps) {
  const [activeTab, setActiveTab] = useState<string | null>('totp_code');
  const changeTab = (kind: string | null) => {
    onTabChange();
    setActiveTab(kind);
  };
  return (
    <Tabs value={activeTab} onChange={changeTab} keepMounted={false} activateTabWithKeyboard={false}>
      <Tabs.List aria-label="Second facteur" mb={20}>
        {tabs.map(({ kind, title }) => (
          <Tabs.Tab
            key={kind}
            value={kind}
            flex={1}
            mih="var(--control-height)"
            p="8px 4px"
            fw={500}
            className={styles['tab']}
          >
            {title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ kind }) => (
        <Tabs.Panel key={kind} value={kind}>
          <CodeForm kind={kind} {...form} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

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
    if (!forgot.isSending && form.check(['email'])) void forgot.send(form.values.email);
  };
  const cancel = () => {
    restart();
    forgot.clear();
    form.reset();
    form.focus('email');
  };
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
      <SecondStep login={login} values={form.values} onTabChange={clearMessages} />
    </LoginLayout>
  );
}

type SecondStepProps = { login: ReturnType<typeof useLogin>; values: Credentials; onTabChange: () => void };

function SecondStep({ login, values, onTabChange }: SecondStepProps) {
  const { step, failure, isSending, send, restart } = login;
  const shared = { failure, isSending, onCancel: restart };
  return (
    <>
      {step.name === 'code' && (
        <CodeStep
          {...shared}
          email={values.email}
          onTabChange={onTabChange}
          onSubmit={(proof) => void send({ ...values, ...proof })}
        />
      )}
      {step.name === 'grace' && (
        <GraceStep
          {...shared}
          remaining={step.remaining}
          onContinue={(isSettingUp) => void send({ ...values, skip_2fa: true }, isSettingUp)}
        />
      )}
    </>
  );
}
