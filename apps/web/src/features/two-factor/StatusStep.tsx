import { Button, Group, Text } from '@mantine/core';
import type { TwoFactorSetup, TwoFactorStatus } from '@vigie/contracts/two-factor';
import { CloudOff, LockKeyhole } from 'lucide-react';
import type { ComponentProps } from 'react';
import { isApiError } from '../../kit/query/api-error';
import { failureReason, sentenceOf } from '../../kit/query/failures';
import { Callout } from '../../ui/Callout';
import { Card } from '../../ui/Card';
import { Failure } from '../../ui/Failure';
import { plural } from '../../ui/plural';
import { Skeleton } from '../../ui/Skeleton';
import { Status } from '../../ui/Status';
import { useFocusOnMount } from '../../ui/focus';
import { StepCard } from './StepCard';
import { twoFactorApi } from './two-factor.api';

const lowCodesCount = 3;

type StatusActions = {
  takesFocus: boolean;
  onSetUp: (setup: TwoFactorSetup) => void;
  /** Beside passkeys, which needs the password. */
  onAddApp: () => void;
  onDisable: (hasPasskeys: boolean) => void;
  onRenew: () => void;
};

function StatusError({ error, isRetrying, onRetry }: { error: unknown; isRetrying: boolean; onRetry: () => void }) {
  const isForbidden = isApiError(error) && error.status === 403;
  const Icon = isForbidden ? LockKeyhole : CloudOff;
  return (
    <StepCard
      role="alert"
      title={
        <>
          <Icon size={20} aria-hidden />
          {isForbidden ? 'Vous n’avez pas accès à cet écran' : 'L’état de la 2FA n’a pas pu être lu'}
        </>
      }
    >
      <p>{failureReason(error, 'Erreur de connexion')}</p>
      <Group gap={8}>
        <Button loading={isRetrying} onClick={onRetry}>
          Réessayer
        </Button>
      </Group>
    </StepCard>
  );
}

const State = (status: ComponentProps<typeof Status>) => (
  <>
    État
    <Status {...status} />
  </>
);

function Disabled({ takesFocus, onSetUp }: StatusActions) {
  const [setUp, { isLoading, error }] = twoFactorApi.useSetUpTwoFactorMutation();
  const start = async () => {
    const { data } = await setUp();
    if (data) onSetUp(data);
  };
  const heading = useFocusOnMount<HTMLHeadingElement>(takesFocus);
  return (
    <StepCard heading={heading} title={<State tone="neutral">Désactivée</State>}>
      <p>
        Il vous faut une application d’authentification sur votre téléphone (Aegis, FreeOTP, 1Password, Google
        Authenticator…) et deux minutes.
      </p>
      <Failure sentence={sentenceOf(error)} />
      <Group gap={8}>
        <Button loading={isLoading} onClick={() => void start()}>
          Activer 2FA
        </Button>
      </Group>
    </StepCard>
  );
}

function Remaining({ count }: { count: number }) {
  const remaining = plural(count, 'code de récupération restant', 'codes de récupération restants');
  if (count > lowCodesCount)
    return <p>{remaining}. Chacun remplace votre téléphone ou votre clé d’accès pour une connexion.</p>;
  return (
    <Callout tone="warn">
      {remaining}.{' '}
      {count === 0
        ? 'Si vous perdiez votre téléphone ou votre clé d’accès, vous ne pourriez plus vous connecter\u00a0: générez-en de nouveaux.'
        : 'Générez-en de nouveaux avant d’en manquer.'}
    </Callout>
  );
}

/** With passkeys left, the second factor stays on without the app. */
export const disableLabel = (hasPasskeys: boolean) => (hasPasskeys ? 'Retirer l’application' : 'Désactiver la 2FA');

function Enabled({ status, takesFocus, onAddApp, onDisable, onRenew }: StatusActions & { status: TwoFactorStatus }) {
  const heading = useFocusOnMount<HTMLHeadingElement>(takesFocus);
  const hasApp = status.has_totp !== false;
  const hasPasskeys = status.passkey_count > 0;
  return (
    <StepCard heading={heading} title={<State tone="ok">Activée</State>}>
      <Remaining count={status.backup_codes_count} />
      {!hasApp && <p>Vos clés d’accès suffisent. Une application d’authentification peut s’y ajouter.</p>}
      {status.is_required && (
        <Text c="muted">Elle est obligatoire pour votre compte{'\u00a0'}: vous ne pouvez pas la désactiver.</Text>
      )}
      <Group gap={8}>
        <Button variant="default" onClick={onRenew}>
          Générer de nouveaux codes
        </Button>
        {!hasApp && (
          <Button variant="default" onClick={onAddApp}>
            Ajouter une application
          </Button>
        )}
        {hasApp && (hasPasskeys || !status.is_required) && (
          <Button variant="default" color="danger" onClick={() => onDisable(hasPasskeys)}>
            {disableLabel(hasPasskeys)}
          </Button>
        )}
      </Group>
    </StepCard>
  );
}

export function StatusStep(actions: StatusActions) {
  const {
    data: status,
    error,
    isFetching,
    refetch,
  } = twoFactorApi.useReadTwoFactorQuery(undefined, { refetchOnMountOrArgChange: true });
  const statusError = error && <StatusError error={error} isRetrying={isFetching} onRetry={() => void refetch()} />;
  if (!status) {
    return (
      statusError ?? (
        <Card p="var(--gutter)">
          <Skeleton rows={3} height={38} />
        </Card>
      )
    );
  }
  return (
    <>
      {statusError}
      {status.enabled ? <Enabled status={status} {...actions} /> : <Disabled {...actions} />}
    </>
  );
}
