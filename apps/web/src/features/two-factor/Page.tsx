import type { TwoFactorSetup } from '@vigie/contracts/two-factor';
import { type ComponentType, type ReactNode, useState } from 'react';
import { Callout } from '../../ui/Callout';
import { Page } from '../../ui/Page';
import { CodesStep } from './CodesStep';
import { SetupStep } from './SetupStep';
import { disableLabel, StatusStep } from './StatusStep';
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

type DisableStepProps = { email: string; hasPasskeys: boolean; onLeave: () => void };

/** Passkeys go on answering after the password, and recovery codes with them. */
const afterDisable = (hasPasskeys: boolean) =>
  hasPasskeys
    ? 'Votre application ne servira plus. Vos clés d’accès et vos codes de récupération resteront.'
    : 'Votre mot de passe suffira pour vous connecter, et vos codes de récupération ne serviront plus.';

function DisableStep({ email, hasPasskeys, onLeave }: DisableStepProps) {
  const [disable, call] = twoFactorApi.useDisableTwoFactorMutation();
  const send = async (password: string): Promise<void> => {
    const { data } = await disable({ password });
    if (!data) return;
    toast.success(data.message);
    onLeave();
  };
  return (
    <PasswordStep
      title={disableLabel(hasPasskeys)}
      email={email}
      action={disableLabel(hasPasskeys)}
      isDangerous
      call={call}
      onSubmit={(password) => void send(password)}
      onCancel={onLeave}
    >
      {afterDisable(hasPasskeys)}
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

type AddAppStepProps = { email: string; onCancel: () => void; onSetUp: (setup: TwoFactorSetup) => void };

function AddAppStep({ email, onCancel, onSetUp }: AddAppStepProps) {
  const [setUp, call] = twoFactorApi.useSetUpTwoFactorMutation();
  const send = async (password: string): Promise<void> => {
    const { data } = await setUp({ password });
    if (data) onSetUp(data);
  };
  return (
    <PasswordStep
      title="Ajouter une application"
      email={email}
      action="Continuer"
      call={call}
      onSubmit={(password) => void send(password)}
      onCancel={onCancel}
    >
      Ses codes ouvriront votre compte après le mot de passe. Vos codes de récupération resteront.
    </PasswordStep>
  );
}

type Step =
  | { name: 'status'; takesFocus: boolean }
  | { name: 'setup'; setup: TwoFactorSetup }
  | { name: 'codes'; codes: readonly string[] }
  | { name: 'disable'; hasPasskeys: boolean }
  | { name: 'add-app' | 'renew' };

const Required = () => (
  <Callout tone="warn">
    La double authentification est obligatoire pour votre compte. Activez-la pour ouvrir les autres écrans.
  </Callout>
);

type Props = {
  email: string;
  /** The session may only set up 2FA. */
  isRestricted: boolean;
  onEnabled: () => void;
  Passkeys: ComponentType<PasskeysProps>;
};

/** The section of the passkeys, the first of which comes with recovery codes. */
type PasskeysProps = PasskeysState & {
  email: string;
  onCodes: (codes: readonly string[]) => void;
  onRenew: () => void;
};
type PasskeysState = { isOff: boolean; hasNoApp: boolean; isRequired: boolean };

function PasskeysBeside({ Passkeys, ...props }: Omit<PasskeysProps, keyof PasskeysState> & Pick<Props, 'Passkeys'>) {
  const { data: status } = twoFactorApi.useReadTwoFactorQuery();
  // Until the status is known, no dialog could say what a deletion takes with it.
  if (!status) return null;
  return <Passkeys {...props} isOff={!status.enabled} hasNoApp={!status.has_totp} isRequired={status.is_required} />;
}

const lead =
  'À chaque connexion, la double authentification demande votre mot de passe, puis un code affiché par votre téléphone ou une clé d’accès.';

export function TwoFactorPage({ email, isRestricted, onEnabled, Passkeys }: Props) {
  const [step, setStep] = useState<Step>({ name: 'status', takesFocus: false });
  const goBack = () => setStep({ name: 'status', takesFocus: true });
  const setUp = (setup: TwoFactorSetup) => setStep({ name: 'setup', setup });
  // A second factor beside another one brings none: those of the first stay.
  const showCodes = (codes: readonly string[]) => (codes.length > 0 ? setStep({ name: 'codes', codes }) : goBack());
  return (
    <Page title="Sécurité 2FA" lead={lead} maxWidth={720}>
      {isRestricted && <Required />}
      {step.name === 'status' && (
        <>
          <StatusStep
            takesFocus={step.takesFocus}
            onSetUp={setUp}
            onAddApp={() => setStep({ name: 'add-app' })}
            onDisable={(hasPasskeys) => setStep({ name: 'disable', hasPasskeys })}
            onRenew={() => setStep({ name: 'renew' })}
          />
          <PasskeysBeside {...{ Passkeys, email }} onCodes={showCodes} onRenew={() => setStep({ name: 'renew' })} />
        </>
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
      {step.name === 'add-app' && <AddAppStep email={email} onCancel={goBack} onSetUp={setUp} />}
      {step.name === 'codes' && <CodesStep email={email} codes={step.codes} onDone={goBack} />}
      {step.name === 'disable' && <DisableStep email={email} hasPasskeys={step.hasPasskeys} onLeave={goBack} />}
      {step.name === 'renew' && <RenewStep email={email} onCancel={goBack} onRenewed={showCodes} />}
    </Page>
  );
}
