import type { TwoFactorSetup } from '@vigie/contracts/two-factor';
import { useState } from 'react';
import { Callout } from '../../ui/Callout';
import { CodesStep } from './CodesStep';
import { DisableStep } from './DisableStep';
import styles from './Page.module.css';
import { RenewStep } from './RenewStep';
import { SetupStep } from './SetupStep';
import { StatusStep } from './StatusStep';

type Step =
  | { name: 'status'; isBack: boolean }
  | { name: 'setup'; issued: TwoFactorSetup }
  | { name: 'codes'; codes: string[] }
  | { name: 'disable' }
  | { name: 'renew' };

type Props = {
  email: string;
  /** The session may do nothing else yet. */
  isRestricted: boolean;
  onEnabled: () => void;
};

export function TwoFactorPage({ email, isRestricted, onEnabled }: Props) {
  const [step, setStep] = useState<Step>({ name: 'status', isBack: false });
  const goBack = () => setStep({ name: 'status', isBack: true });
  const showCodes = (codes: string[]) => setStep({ name: 'codes', codes });
  return (
    <div className={styles['page']}>
      <h1>Sécurité 2FA</h1>
      <p className={styles['lead']}>
        La double authentification demande à la connexion, en plus de votre mot de passe, un code que seul votre
        téléphone connaît.
      </p>
      {isRestricted && (
        <div className={styles['banner']}>
          <Callout tone="warn">
            La politique de sécurité de cette console demande la double authentification. Activez-la pour accéder aux
            autres écrans.
          </Callout>
        </div>
      )}
      {step.name === 'status' && (
        <StatusStep
          takesFocus={step.isBack}
          onSetUp={(issued) => setStep({ name: 'setup', issued })}
          onDisable={() => setStep({ name: 'disable' })}
          onRenew={() => setStep({ name: 'renew' })}
        />
      )}
      {step.name === 'setup' && (
        <SetupStep
          issued={step.issued}
          onCancel={goBack}
          onVerified={() => {
            onEnabled();
            showCodes(step.issued.backup_codes);
          }}
        />
      )}
      {step.name === 'codes' && <CodesStep email={email} codes={step.codes} onDone={goBack} />}
      {step.name === 'disable' && <DisableStep email={email} onLeave={goBack} />}
      {step.name === 'renew' && <RenewStep email={email} onCancel={goBack} onRenewed={showCodes} />}
    </div>
  );
}
