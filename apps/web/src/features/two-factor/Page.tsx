import type { TwoFactorSetup } from '@vigie/contracts/two-factor';
import { useState, type ReactNode } from 'react';
import { Callout } from '../../ui/Callout';
import { Page } from '../../ui/Page';
import { CodesStep } from './CodesStep';
import { SetupStep } from './SetupStep';
import { StatusStep } from './StatusStep';
import { twoFactorApi } from './two-factor.api';
import { toast } from '../../ui/toasts';
import { PasswordForm, type PasswordFormProps } from './PasswordForm';
import { StepCard } from './StepCard';

type PasswordStepProps = PasswordFormProps & { title: string; children: ReactNode };

function PasswordStep({ title, children, ...form }: PasswordStepProps) {
  return (
    <StepCard title={title}>
      <p>{children}</p>
      <PasswordForm {...form} />
    </StepCard>
  );
}

function DisableStep({ email, onLeave }: { email: string; onLeave: () => void }) {
  const [disable, call] = twoFactorApi.useDisableTwoFactorMutation();
  const send = async (password: string): Promise<void> => {
    const { data } = await disable({ password });
    if (!data) return;
    toast.success(data.message);
    onLeave();
  };
  return (
    <PasswordStep
      title="Désactiver la 2FA"
      email={email}
      action="Désactiver la 2FA"
      isDangerous
      call={call}
      onSubmit={(password) => void send(password)}
      onCancel={onLeave}
    >
      Votre mot de passe suffira pour vous connecter, et vos codes de récupération ne serviront plus.
    </PasswordStep>
  );
}

type RenewStepProps = { email: string; onCancel: () => void; onRenewed: (codes: string[]) => void };

function RenewStep({ email, onCancel, onRenewed }: RenewStepProps) {
  const [renew, call] = twoFactorApi.useRenewBackupCodesMutation();
  const send = async (password: string): Promise<void> => {
    const { data } = await renew({ password });
    if (data) onRenewed(data.backup_codes);
  };
  return (
    <PasswordStep
      title="Générer de nouveaux codes"
      email={email}
      action="Générer de nouveaux codes"
      call={call}
      onSubmit={(password) => void send(password)}
      onCancel={onCancel}
    >
      Vos codes actuels ne fonctionneront plus.
    </PasswordStep>
  );
}

type Step =
  | { name: 'status'; takesFocus: boolean }
  | { name: 'setup'; setup: TwoFactorSetup }
  | { name: 'codes'; codes: string[] }
  | { name: 'disable' }
  | { name: 'renew' };

type Props = {
  email: string;
  /** The session may only set up 2FA. */
  isRestricted: boolean;
  onEnabled: () => void;
};

export function TwoFactorPage({ email, isRestricted, onEnabled }: Props) {
  const [step, setStep] = useState<Step>({ name: 'status', takesFocus: false });
  const goBack = () => setStep({ name: 'status', takesFocus: true });
  const showCodes = (codes: string[]) => setStep({ name: 'codes', codes });
  return (
    <Page
      title="Sécurité 2FA"
      lead="À chaque connexion, la double authentification demande votre mot de passe, puis un code affiché par votre téléphone."
      maxWidth={720}
    >
      {isRestricted && (
        <Callout tone="warn">
          La double authentification est obligatoire pour votre compte. Activez-la pour ouvrir les autres écrans.
        </Callout>
      )}
      {step.name === 'status' && (
        <StatusStep
          takesFocus={step.takesFocus}
          onSetUp={(setup) => setStep({ name: 'setup', setup })}
          onDisable={() => setStep({ name: 'disable' })}
          onRenew={() => setStep({ name: 'renew' })}
        />
      )}
      {step.name === 'setup' && (
        <SetupStep
          setup={step.setup}
          onCancel={goBack}
          onVerified={() => {
            onEnabled();
            showCodes(step.setup.backup_codes);
          }}
        />
      )}
      {step.name === 'codes' && <CodesStep email={email} codes={step.codes} onDone={goBack} />}
      {step.name === 'disable' && <DisableStep email={email} onLeave={goBack} />}
      {step.name === 'renew' && <RenewStep email={email} onCancel={goBack} onRenewed={showCodes} />}
    </Page>
  );
}
