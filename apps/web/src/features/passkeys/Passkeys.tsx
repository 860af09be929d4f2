import { Box, Button, Group, Stack, Text } from '@mantine/core';
import type { Passkey } from '@vigie/contracts/passkeys';
import { KeyRound, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { unsupportedReason } from '../../kit/passkeys/support';
import { failureMessage } from '../../kit/query/failures';
import { Card } from '../../ui/Card';
import { Failure } from '../../ui/Failure';
import { useFocusHandOver } from '../../ui/focus';
import { IconButton } from '../../ui/IconButton';
import { Lines } from '../../ui/Lines';
import { RetryButton } from '../../ui/RetryButton';
import { Skeleton } from '../../ui/Skeleton';
import { TimeAgo } from '../../ui/TimeAgo';
import { AddPasskey } from './AddPasskey';
import { DeletePasskey } from './DeletePasskey';
import { opensWithout } from './opens-without';
import { passkeysApi } from './passkeys.api';
import { RenamePasskey } from './RenamePasskey';

type Change = { name: 'add' } | { name: 'rename' | 'delete'; passkey: Passkey };

type LineProps = { passkey: Passkey; onChange: (change: Change) => void };

function PasskeyFacts({ passkey }: { passkey: Passkey }) {
  const { name, created_at: createdAt, last_used_at: lastUsedAt, is_synced: isSynced, former_host: host } = passkey;
  return (
    <Box miw={0} style={{ overflowWrap: 'anywhere' }}>
      <Text fw={500}>{name}</Text>
      <Text variant="hint">
        Créée <TimeAgo at={createdAt} />
        {' · '}
        {lastUsedAt === null ? (
          'jamais utilisée'
        ) : (
          <>
            utilisée <TimeAgo at={lastUsedAt} />
          </>
        )}
        {isSynced && ' · synchronisée entre vos appareils'}
      </Text>
      {host !== null && (
        <Text variant="hint">Elle date de l’ancienne adresse de Vigie, {host}, et n’ouvre plus votre compte.</Text>
      )}
    </Box>
  );
}

function PasskeyLine({ passkey, onChange }: LineProps) {
  const { name } = passkey;
  const line = useFocusHandOver<HTMLLIElement>('[data-passkeys]');
  return (
    <li ref={line}>
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap={12} py={8}>
        <PasskeyFacts passkey={passkey} />
        <Group gap={4} wrap="nowrap">
          <IconButton
            icon={Pencil}
            label={`Renommer la clé d’accès ${name}`}
            onClick={() => onChange({ name: 'rename', passkey })}
          />
          <IconButton
            isAtEdge
            icon={Trash2}
            label={`Supprimer la clé d’accès ${name}`}
            onClick={() => onChange({ name: 'delete', passkey })}
          />
        </Group>
      </Group>
    </li>
  );
}

type Props = {
  email: string;
  /** The user has no second factor yet. */
  isOff: boolean;
  /** The user has no app, so that the last passkey is the whole second factor. */
  hasNoApp: boolean;
  /** The policy requires a second factor of the user. */
  isRequired: boolean;
  /** Shows the recovery codes that a first second factor comes with. */
  onCodes: (codes: readonly string[]) => void;
  /** Leads to new recovery codes. */
  onRenew: () => void;
};

/** The passkeys of the user, which log in without a password and answer in place of a code. */
export function Passkeys(props: Props) {
  const { data, error, isFetching, refetch } = passkeysApi.usePasskeysQuery(undefined, {
    refetchOnMountOrArgChange: true,
  });
  const failure = failureMessage(error, 'Impossible de charger vos clés d’accès.');
  return (
    <Card component="section" p="var(--gutter)" aria-labelledby="passkeys">
      <Stack gap={12}>
        <div>
          <h2 id="passkeys">Clés d’accès</h2>
          <Text variant="note">
            Elles vous connectent par votre empreinte, votre visage ou le code d’un appareil, sans mot de passe.
          </Text>
        </div>
        {failure !== undefined && (
          <Failure sentence={failure}>
            <RetryButton isBusy={isFetching} onRetry={refetch} />
          </Failure>
        )}
        {data && (
          <PasskeysList
            {...props}
            passkeys={data.items}
            areUsable={data.unavailable_reason === null}
            obstacle={data.unavailable_reason ?? unsupportedReason(data.passkey_origin)}
          />
        )}
        {!data && failure === undefined && <Skeleton rows={2} height={56} />}
      </Stack>
    </Card>
  );
}

type ListProps = Props & {
  passkeys: readonly Passkey[];
  /** Passkeys open the account at the address that Vigie has now. */
  areUsable: boolean;
  /** Why none can be added here. */
  obstacle: string | undefined;
};

function PasskeysList({ passkeys, areUsable, obstacle, ...rest }: ListProps) {
  const [change, setChange] = useState<Change>();
  return (
    <>
      {passkeys.length > 0 && (
        <Lines>
          {passkeys.map((passkey) => (
            <PasskeyLine key={passkey.id} passkey={passkey} onChange={setChange} />
          ))}
        </Lines>
      )}
      {obstacle !== undefined ? (
        <Text c="muted" data-passkeys tabIndex={-1}>
          {obstacle}
        </Text>
      ) : (
        <Group>
          <Button
            data-passkeys
            variant="default"
            leftSection={<KeyRound size={16} aria-hidden />}
            onClick={() => setChange({ name: 'add' })}
          >
            Ajouter une clé d’accès
          </Button>
        </Group>
      )}
      <ChangeDialog {...{ ...rest, passkeys, areUsable, change }} onClose={() => setChange(undefined)} />
    </>
  );
}

type ChangeDialogProps = Props &
  Pick<ListProps, 'passkeys' | 'areUsable'> & { change: Change | undefined; onClose: () => void };

function ChangeDialog({ change, passkeys, areUsable, hasNoApp, isRequired, isOff, ...rest }: ChangeDialogProps) {
  if (change === undefined) return null;
  if (change.name === 'add') return <AddPasskey {...rest} isFirst={isOff} />;
  const { passkey } = change;
  const { email, onClose } = rest;
  if (change.name === 'rename') return <RenamePasskey passkey={passkey} onClose={onClose} />;
  const isLastFactor = hasNoApp && !(areUsable && opensWithout(passkey, passkeys));
  return <DeletePasskey {...{ passkey, email, isRequired, isLastFactor, onClose }} />;
}
