import type { TwoFactorSetup } from '@vigie/contracts/two-factor';
import { useState } from 'react';
import { Callout } from '../../ui/Callout';
import { Page } from '../../ui/Page';
import { CodesStep } from './CodesStep';
import { DisableStep } from './DisableStep';
import { RenewStep } from './RenewStep';
import { SetupStep } from './SetupStep';
import { StatusStep } from './StatusStep';

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
          La politique de sécurité de cette console demande la double authentification. Activez-la pour accéder aux
          autres écrans.
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
