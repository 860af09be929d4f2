import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { type TwoFactorSetup, VerifyTwoFactor } from '@vigie/contracts/two-factor';
import { Copy } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react';
import { schemaErrors } from '../../kit/form/errors';
import { useDraftForm } from '../../kit/form/useDraftForm';
import { reportFailure, sentenceOf } from '../../kit/query/failures';
import { isApiError, isOutcomeUnknown } from '../../kit/query/api-error';
import { CodeField } from '../../ui/LineField';
import { copyText } from '../../ui/copy';
import { Failure } from '../../ui/Failure';
import { toast } from '../../ui/toasts';
import { useFocusOnMount } from '../../ui/focus';
import { groupSecret } from './codes';
import { StepCard } from './StepCard';
import styles from './two-factor.module.css';
import { invalidCode, twoFactorApi } from './two-factor.api';

type Props = { setup: TwoFactorSetup; onCancel: () => void; onVerified: () => void };

function SecretKey({ secret }: { secret: string }) {
  const copy = async () => {
    if (await copyText(secret)) toast.success('Clé copiée.');
  };
  return (
    <Group gap={8}>
      <Box component="code" p="6px 10px" bdrs="sm" bg="var(--sunken)" ff="monospace" fz={14} lh="20px" fw={500}>
        {groupSecret(secret)}
      </Box>
      <Button variant="default" leftSection={<Copy size={16} aria-hidden />} onClick={() => void copy()}>
        Copier la clé
      </Button>
    </Group>
  );
}

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
    // Passkeys turn the 2FA on without an app.
    const status = isConflict(error) ? (await readStatus()).data : undefined;
    const isEnabled = status?.enabled === true && status.has_totp !== false;
    // An earlier call without an answer enabled it with these codes; another screen would have enabled it with others.
    if (isEnabled && hadNoAnswer.current) return onVerified();
    hadNoAnswer.current ||= isOutcomeUnknown(error);
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
    <form noValidate method="post" onSubmit={send}>
      <Stack maw={400}>
        <CodeField
          {...field('code')}
          label="Code de vérification à 6 chiffres"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxWidth={200}
          readOnly={isSending}
          onChange={(event) => change({ code: event.currentTarget.value.replaceAll(/\D/g, '').slice(0, 6) })}
          onKeyDown={submitIncomplete}
        />
        <Failure sentence={failure} />
        {failure === invalidCode && (
          <Text c="muted">
            Réglez l’heure de votre téléphone sur automatique, puis réessayez{'\u00a0'}: une minute d’écart fausse le
            code.
          </Text>
        )}
        <Group gap={8}>
          <Button type="submit" loading={isSending} disabled={values.code.length !== 6}>
            Vérifier
          </Button>
          <Button variant="default" onClick={props.onCancel}>
            Annuler
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

export function SetupStep(props: Props) {
  const { qr_code: image, secret } = props.setup;
  // Focuses the heading, not the field: on a phone the keyboard would cover the instructions.
  const heading = useFocusOnMount<HTMLHeadingElement>();
  return (
    <StepCard title="Relier votre téléphone" heading={heading}>
      <Group align="flex-start" gap="16px 32px">
        <img
          className={styles['qr']}
          src={image}
          width={200}
          height={200}
          alt="QR code à scanner avec l’application d’authentification"
        />
        <Stack gap={12} flex="1 1 300px" miw={0}>
          <p>
            Dans l’application d’authentification, ajoutez un compte et scannez ce QR code. Il est valable dix minutes.
          </p>
          <p>
            Vous ne pouvez pas le scanner{'\u202f'}? Saisissez cette clé{'\u00a0'}:
          </p>
          <SecretKey secret={secret} />
          <p>L’application affiche alors un code, nouveau toutes les 30 secondes.</p>
          <VerifyForm {...props} />
        </Stack>
      </Group>
    </StepCard>
  );
}
