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
  onDisable: () => void;
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
  const [requestSetup, { isLoading, error }] = twoFactorApi.useSetUpTwoFactorMutation();
  const heading = useFocusOnMount<HTMLHeadingElement>(takesFocus);
  const startSetup = async () => {
    const { data } = await requestSetup();
    if (data) onSetUp(data);
  };
  return (
    <StepCard heading={heading} title={<State tone="neutral">Désactivée</State>}>
      <p>
        Il vous faut une application d’authentification sur votre téléphone (Aegis, FreeOTP, 1Password, Google
        Authenticator…) et deux minutes.
      </p>
      <Failure sentence={sentenceOf(error)} />
      <Group gap={8}>
        <Button loading={isLoading} onClick={() => void startSetup()}>
          Activer 2FA
        </Button>
      </Group>
    </StepCard>
  );
}

function Remaining({ count }: { count: number }) {
  const remaining = plural(count, 'code de récupération restant', 'codes de récupération restants');
  if (count > lowCodesCount) return <p>{remaining}. Chacun remplace votre téléphone pour une connexion.</p>;
  return (
    <Callout tone="warn">
      {remaining}.{' '}
      {count === 0
        ? 'Sans téléphone, vous ne pourriez plus vous connecter\u00a0: générez-en de nouveaux.'
        : 'Générez-en de nouveaux avant d’en manquer.'}
    </Callout>
  );
}

function Enabled({ status, takesFocus, onDisable, onRenew }: StatusActions & { status: TwoFactorStatus }) {
  const heading = useFocusOnMount<HTMLHeadingElement>(takesFocus);
  return (
    <StepCard heading={heading} title={<State tone="ok">Activée</State>}>
      <Remaining count={status.backup_codes_count} />
      {status.is_required && (
        <Text c="muted">Elle est obligatoire pour votre compte{'\u00a0'}: vous ne pouvez pas la désactiver.</Text>
      )}
      <Group gap={8}>
        <Button variant="default" onClick={onRenew}>
          Générer de nouveaux codes
        </Button>
        {!status.is_required && (
          <Button variant="default" color="danger" onClick={onDisable}>
            Désactiver la 2FA
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
