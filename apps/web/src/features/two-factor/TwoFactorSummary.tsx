import { Button, Group, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { TwoFactorStatus } from '@vigie/contracts/two-factor';
import { useState } from 'react';
import { failureMessage } from '../../kit/query/failures';
import { Failure } from '../../ui/Failure';
import { plural } from '../../ui/plural';
import { RetryButton } from '../../ui/RetryButton';
import { Skeleton } from '../../ui/Skeleton';
import { Status } from '../../ui/Status';
import { toast } from '../../ui/toasts';
import { PasswordForm } from './PasswordForm';
import { twoFactorApi } from './two-factor.api';

function DisableForm({ email, onClose }: { email: string; onClose: () => void }) {
  const [disable, call] = twoFactorApi.useDisableInProfileMutation();
  const send = async (password: string) => {
    const { data } = await disable({ password });
    if (!data) return;
    toast.success(data.message);
    onClose();
  };
  return (
    <PasswordForm
      email={email}
      label="Votre mot de passe, pour désactiver la 2FA"
      emptyError="Mot de passe requis"
      action="Désactiver la 2FA"
      isDangerous
      cancelLabel="Garder la 2FA"
      call={call}
      onSubmit={(password) => void send(password)}
      onCancel={onClose}
    />
  );
}

function Enabled({ status, email }: { status: TwoFactorStatus; email: string }) {
  const [isDisabling, setDisabling] = useState(false);
  const { backup_codes_count: count, is_required: isRequired, passkey_count: passkeys } = status;
  // The screen of the second factor says what goes and what stays where there are passkeys.
  const canDisable = !isRequired && passkeys === 0;
  return (
    <>
      {passkeys > 0 && <p>{plural(passkeys, 'clé d’accès', 'clés d’accès')}.</p>}
      <p>
        {plural(count, 'code de récupération restant', 'codes de récupération restants')}.
        {count <= 3 && ' Pensez à en générer de nouveaux.'}
      </p>
      {isRequired && <p>Elle est obligatoire pour votre compte{'\u00a0'}: vous ne pouvez pas la désactiver.</p>}
      {canDisable && isDisabling && <DisableForm email={email} onClose={() => setDisabling(false)} />}
      {canDisable && !isDisabling && (
        <Button variant="default" color="danger" onClick={() => setDisabling(true)}>
          Désactiver la 2FA
        </Button>
      )}
    </>
  );
}

/** The state of the second factor in the profile, with a link to its own screen. */
export function TwoFactorSummary({ email }: { email: string }) {
  const { data, error, isFetching, refetch } = twoFactorApi.useReadTwoFactorQuery(undefined, {
    refetchOnMountOrArgChange: true,
  });
  const sentence = failureMessage(error, 'L’état de la 2FA n’a pas pu être lu.');
  return (
    <Stack component="section" align="flex-start" gap={8} aria-labelledby="two-factor-summary">
      <Group component="h3" gap={8} id="two-factor-summary">
        Double authentification
        {data && (data.enabled ? <Status tone="ok">Activée</Status> : <Status tone="neutral">Désactivée</Status>)}
      </Group>
      {sentence !== undefined && (
        <Failure sentence={sentence}>
          <RetryButton isBusy={isFetching} onRetry={refetch} />
        </Failure>
      )}
      {!data && sentence === undefined && <Skeleton rows={1} />}
      {data?.enabled && <Enabled status={data} email={email} />}
      <p>
        <Link to="/security/2fa">{data?.enabled === false ? 'Activer la 2FA' : 'Gérer la 2FA et les codes'}</Link>
      </p>
    </Stack>
  );
}
