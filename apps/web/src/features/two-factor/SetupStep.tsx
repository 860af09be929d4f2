import { Button, TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import { type TwoFactorSetup, VerifyTwoFactor } from '@vigie/contracts/two-factor';
import { Copy } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react';
import { schemaErrors } from '../../kit/form/errors';
import { useDraftForm } from '../../kit/form/useDraftForm';
import { reportFailure, sentenceOf } from '../../kit/query/failures';
import { isApiError } from '../../kit/query/api-error';
import { copyText } from '../../ui/copy';
import { Failure } from '../../ui/Failure';
import { toast } from '../../ui/toasts';
import { useFocusOnMount } from '../../ui/useFocusOnMount';
import { groupSecret } from './codes';
import styles from './Page.module.css';
import { invalidCode, twoFactorApi } from './two-factor.api';

type Props = { setup: TwoFactorSetup; onCancel: () => void; onVerified: () => void };

function SecretKey({ secret }: { secret: string }) {
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

/** Without an answer, the server may still have enabled 2FA. */
const hasNoAnswer = (error: unknown) => isApiError(error) && (error.kind !== 'http' || error.status >= 500);
const isConflict = (error: unknown) => isApiError(error) && error.status === 409;

const blank = { code: '' };
const Code = VerifyTwoFactor.pick({ code: true });

function useVerification({ setup, onCancel, onVerified }: Props) {
  const [verify, { isLoading, error: refusal }] = twoFactorApi.useVerifyTwoFactorMutation();
  const [readStatus] = twoFactorApi.useLazyReadTwoFactorQuery();
  const hadNoAnswer = useRef(false);
  const [conflict, setConflict] = useState<string>();
  const form = useDraftForm({
    name: 'setup-code',
    checksOnLeave: 'none',
    initial: blank,
    secrets: blank,
    validate: (typed) => schemaErrors(Code, typed),
  });
  const send = async ({ code }: typeof blank): Promise<void> => {
    if (isLoading) return;
    setConflict(undefined);
    const { secret, backup_codes } = setup;
    const { data, error } = await verify({ secret, code, backup_codes });
    if (data) {
      toast.success(data.message);
      return onVerified();
    }
    const isEnabled = isConflict(error) && (await readStatus()).data?.enabled === true;
    // An earlier call without an answer enabled 2FA with these codes; another screen would have enabled it with others.
    if (isEnabled && hadNoAnswer.current) return onVerified();
    hadNoAnswer.current ||= hasNoAnswer(error);
    if (isConflict(error)) setConflict(reportFailure(error, invalidCode));
    if (isEnabled) return onCancel();
    form.select('code');
  };
  return {
    ...form,
    failure: sentenceOf(refusal) ?? conflict,
    isSending: isLoading,
    send: (event?: FormEvent) => form.submit(send)(event),
  };
}

function VerifyForm(props: Props) {
  const { values, field, failure, isSending, change, send } = useVerification(props);
  // A disabled submit button swallows Enter: without this, an incomplete code would show no error.
  const submitIncomplete = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || values.code.length === 6) return;
    event.preventDefault();
    send();
  };
  return (
    <form noValidate method="post" className={styles['form']} onSubmit={send}>
      <TextInput
        {...field('code')}
        label="Code de vérification à 6 chiffres"
        inputMode="numeric"
        autoComplete="one-time-code"
        spellCheck={false}
        className={styles['code']}
        readOnly={isSending}
        onChange={(event) => change({ code: event.currentTarget.value.replaceAll(/\D/g, '').slice(0, 6) })}
        onKeyDown={submitIncomplete}
      />
      <Failure sentence={failure} />
      {failure === invalidCode && (
        <p className={styles['note']}>
          Le code vient bien de cette clé{'\u202f'}? Vérifiez alors que l’heure de votre téléphone se règle
          automatiquement{'\u00a0'}: une minute d’écart suffit à le fausser.
        </p>
      )}
      <div className={styles['actions']}>
        <Button type="submit" loading={isSending} disabled={values.code.length !== 6}>
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
  const { qr_code: image, secret } = props.setup;
  // Focuses the heading, not the field: on a phone the keyboard would cover the instructions.
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
          <p>
            Dans l’application d’authentification, ajoutez un compte et scannez ce QR code. Il est valable dix minutes.
          </p>
          <p>Sans appareil photo, ou si la console est ouverte sur ce même téléphone, saisissez cette clé{'\u00a0'}:</p>
          <SecretKey secret={secret} />
          <p>L’application affiche alors un code, nouveau toutes les 30 secondes.</p>
          <VerifyForm {...props} />
        </div>
      </div>
    </section>
  );
}
