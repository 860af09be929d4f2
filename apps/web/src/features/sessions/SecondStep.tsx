import { Button, Stack, Tabs, Text } from '@mantine/core';
import '@mantine/core/styles/Tabs.layer.css';
import { type ComponentProps, useState } from 'react';
import { unsupportedReason } from '../../kit/passkeys/support';
import { useBrand } from '../../ui/brand';
import { Callout } from '../../ui/Callout';
import { useFocusOnMount } from '../../ui/focus';
import { plural } from '../../ui/plural';
import { CodeForm, type CodeKind } from './CodeForm';
import { type Credentials, FailureNote } from './LoginFields';
import type { CodeStep as CodeStepState, Failure } from './login';
import { PasskeyForm } from './PasskeyForm';
import styles from './sessions.module.css';
import type { LoginSteps } from './useLogin';

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

type ProofKind = 'passkey' | CodeKind;

const titles: Record<ProofKind, string> = {
  passkey: 'Clé d’accès',
  totp_code: 'Code de l’application',
  backup_code: 'Code de récupération',
};

/** The second factors of the account that this browser can give; recovery codes always are. */
function proofsOf({ hasApp, passkeyOptions }: CodeStepState, isSupported: boolean): readonly ProofKind[] {
  return [
    ...(passkeyOptions && isSupported ? (['passkey'] as const) : []),
    ...(hasApp ? (['totp_code'] as const) : []),
    'backup_code',
  ];
}

const TabList = ({ proofs }: { proofs: readonly ProofKind[] }) => (
  <Tabs.List aria-label="Second facteur" mb={20} style={{ flexWrap: 'nowrap' }}>
    {proofs.map((kind) => (
      <Tabs.Tab
        key={kind}
        value={kind}
        flex={1}
        mih="var(--control-height)"
        p="8px 4px"
        fw={500}
        className={styles['tab']}
      >
        {titles[kind]}
      </Tabs.Tab>
    ))}
  </Tabs.List>
);

type CodeStepProps = Omit<ComponentProps<typeof CodeForm>, 'kind'> & {
  step: CodeStepState;
  isAsking: boolean;
  onAsk: () => void;
  onTabChange: () => void;
};

function CodeStep({ step, isAsking, onAsk, onTabChange, ...form }: CodeStepProps) {
  const { failure, onCancel } = form;
  const unsupported = unsupportedReason(useBrand().passkey_origin);
  const proofs = proofsOf(step, unsupported === undefined);
  const [chosen, setChosen] = useState<string | null>(null);
  // The last passkey may be deleted elsewhere meanwhile.
  const activeTab = proofs.find((kind) => kind === chosen) ?? proofs[0] ?? null;
  const changeTab = (kind: string | null) => {
    onTabChange();
    setChosen(kind);
  };
  return (
    <>
      {step.passkeyOptions && unsupported !== undefined && (
        <Text c="muted" mb={20}>
          {unsupported}
        </Text>
      )}
      <Tabs value={activeTab} onChange={changeTab} keepMounted={false} activateTabWithKeyboard={false}>
        <TabList proofs={proofs} />
        {proofs.map((kind) => (
          <Tabs.Panel key={kind} value={kind}>
            {kind === 'passkey' ? (
              <PasskeyForm {...{ failure, isAsking, onAsk, onCancel }} />
            ) : (
              <CodeForm kind={kind} {...form} />
            )}
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}

type Props = {
  login: LoginSteps;
  values: Credentials;
  onPasskey: (step: CodeStepState) => void;
  onTabChange: () => void;
};

/** What a login asks for after the password. */
export function SecondStep({ login, values, onPasskey, onTabChange }: Props) {
  const { step, failure, pending, send, restart } = login;
  const shared = { failure, isSending: pending === 'form', onCancel: restart };
  return (
    <>
      {step.name === 'code' && (
        <CodeStep
          {...shared}
          step={step}
          email={values.email}
          isAsking={pending === 'passkey'}
          onAsk={() => onPasskey(step)}
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
