import { Button, TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import { type TwoFactorSetup, VerifyTwoFactor } from '@vigie/contracts/two-factor';
import { Copy } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react';
import { isApiError } from '../../app/api-error';
import { copyText } from '../../ui/copy';
import { Failure } from '../../ui/Failure';
import { toast } from '../../ui/toasts';
import { useFocusOnMount } from '../../ui/useFocusOnMount';
import { groupSecret } from './codes';
import styles from './Page.module.css';
import { twoFactorApi } from './two-factor.api';
import { useFailure } from './useFailure';

type Props = { issued: TwoFactorSetup; onCancel: () => void; onVerified: () => void };

function Key({ secret }: { secret: string }) {
  const copy = async () => {
    if (await copyText(secret)) toast.success('Clé copiée.');
  };
  return (
    <div className={styles['key']}>
      <code>{groupSecret(secret)}</code>
      <Button variant="default" leftSection={<Copy size={16} aria-hidden />} onClick={() => void copy()}>
        Copier la clé
      </Button>
    </div>
  );
}

const refusedCode = 'Code invalide';

/** The server may have done what it was asked, and its answer was lost on the way. */
const isLost = (error: unknown) => isApiError(error) && (error.kind !== 'http' || error.status >= 500);
const isConflict = (error: unknown) => isApiError(error) && error.status === 409;

function useVerification({ issued, onCancel, onVerified }: Props) {
  const [verify, { isLoading }] = twoFactorApi.useVerifyTwoFactorMutation();
  const [readStatus] = twoFactorApi.useLazyReadTwoFactorQuery();
  const { failure, fail, forget } = useFailure();
  const hasLost = useRef(false);
  const field = useRef<HTMLInputElement>(null);
  const [code, setCode] = useState('');
  const [fault, setFault] = useState<string>();
  const change = (typed: string) => {
    setCode(typed.replaceAll(/\D/g, '').slice(0, 6));
    setFault(undefined);
  };
  const send = async (): Promise<void> => {
    const checked = VerifyTwoFactor.shape.code.safeParse(code);
    setFault(checked.error?.issues[0]?.message);
    if (!checked.success || isLoading) return;
    forget();
    const { secret, backup_codes } = issued;
    const { data, error } = await verify({ secret, code, backup_codes });
    if (data) {
      toast.success(data.message);
      return onVerified();
    }
    const isEnabled = isConflict(error) && (await readStatus()).data?.enabled === true;
    // By a call whose answer was lost, these are its codes; by another screen, they are not.
    if (isEnabled && hasLost.current) return onVerified();
    hasLost.current ||= isLost(error);
    fail(error, refusedCode);
    if (isEnabled) return onCancel();
    field.current?.focus();
    field.current?.select();
  };
  return { field, code, fault, failure, isSending: isLoading, change, send };
}

function VerifyForm(props: Props) {
  const { field, code, fault, failure, isSending, change, send } = useVerification(props);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send();
  };
  // A disabled button takes the Enter key from its form, and what is missing would not be said.
  const submitIncomplete = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && code.length < 6) submit(event);
  };
  return (
    <form noValidate method="post" className={styles['form']} onSubmit={submit}>
      <TextInput
        ref={field}
        name="code"
        label="Code de vérification à 6 chiffres"
        inputMode="numeric"
        autoComplete="one-time-code"
        spellCheck={false}
        className={styles['code']}
        readOnly={isSending}
        value={code}
        error={fault}
        onChange={(event) => change(event.currentTarget.value)}
        onKeyDown={submitIncomplete}
      />
      <Failure sentence={failure} />
      {failure === refusedCode && (
        <p className={styles['note']}>
          Le code vient bien de cette clé{'\u202f'}? Vérifiez alors que l’heure de votre téléphone se règle
          automatiquement{'\u00a0'}: une minute d’écart suffit à le fausser.
        </p>
      )}
      <div className={styles['actions']}>
        <Button type="submit" loading={isSending} disabled={code.length !== 6}>
          Vérifier
        </Button>
        <Button variant="default" onClick={props.onCancel}>
          Annuler
        </Button>
      </div>
    </form>
  );
}

export function SetupStep(props: Props) {
  const { qr_code: image, secret } = props.issued;
  // Not the field: on a phone its keyboard would cover what must be read first.
  const heading = useFocusOnMount<HTMLHeadingElement>();
  return (
    <section className={styles['card']}>
      <h2 ref={heading} tabIndex={-1}>
        Relier votre téléphone
      </h2>
      <div className={styles['setup']}>
        <img
          className={styles['qr']}
          src={image}
          width={200}
          height={200}
          alt="QR code à scanner avec l’application d’authentification"
        />
        <div className={styles['steps']}>
          <p>Dans l’application d’authentification, ajoutez un compte et scannez ce QR code. Il sert dix minutes.</p>
          <p>Sans appareil photo, ou si la console est ouverte sur ce même téléphone, saisissez cette clé{'\u00a0'}:</p>
          <Key secret={secret} />
          <p>L’application affiche alors un code, nouveau toutes les 30 secondes.</p>
          <VerifyForm {...props} />
        </div>
      </div>
    </section>
  );
}
