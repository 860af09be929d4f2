import { Box, Group, Text } from '@mantine/core';
import { grantRoles } from '@vigie/contracts/grant-roles';
import type { Grant } from '@vigie/contracts/grants';
import { Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import { useUser } from '../../kit/fleet/users';
import { failureMessage, sentenceOf } from '../../kit/query/failures';
import { grantRoleLabel } from '../../kit/words/grant-roles';
import { Failure } from '../../ui/Failure';
import { useFocusHandOver } from '../../ui/focus';
import { IconButton } from '../../ui/IconButton';
import { Lines } from '../../ui/Lines';
import { RetryButton } from '../../ui/RetryButton';
import { SelectField } from '../../ui/SelectField';
import { Skeleton } from '../../ui/Skeleton';
import { toast } from '../../ui/toasts';
import { DeleteGrant } from './DeleteGrant';
import { grantsApi, isInherited, type Target, targetFields, useGrants } from './grants.api';
import { grantRoleChoices } from './words';

function useRole(grant: Grant, target: Target) {
  const [createGrant, { isLoading, error, originalArgs }] = grantsApi.useCreateGrantMutation();
  const save = async (value: string) => {
    const role = grantRoles.find((known) => known === value);
    if (role === undefined || role === grant.role) return;
    const who = grant.user_id === null ? { team_id: grant.team_id ?? undefined } : { user_id: grant.user_id };
    const { data } = await createGrant({ ...targetFields(target), ...who, role });
    if (data) toast.success(`Rôle de ${grant.name}\u00a0: ${grantRoleLabel(role)}.`);
  };
  const role = (isLoading && originalArgs?.role) || grant.role;
  return { role, isSaving: isLoading, failure: sentenceOf(error), save };
}

type Props = { grant: Grant; target: Target };

/** Saves a new role at once. */
function RoleField({ grant, target }: Props) {
  const { role, isSaving, failure, save } = useRole(grant, target);
  const isOwn = useUser()?.id === grant.user_id;
  return (
    <SelectField
      aria-label={`Rôle de ${grant.name}`}
      title={isOwn ? 'Vous ne pouvez pas changer votre propre rôle.' : undefined}
      data={grantRoleChoices}
      value={role}
      disabled={isOwn || isSaving}
      error={failure}
      onChange={(event) => void save(event.currentTarget.value)}
    />
  );
}

const Who = ({ grant, isThroughGroup }: { grant: Grant; isThroughGroup: boolean }) => (
  <Box flex="1 1 220px" miw={0} style={{ overflowWrap: 'anywhere' }}>
    <Text fw={600}>{grant.name}</Text>
    <Text variant="hint">
      {grant.email ?? (grant.team_id === null ? 'Compte supprimé' : 'Équipe')}
      {isThroughGroup && ` · par le groupe ${grant.target_name}`}
    </Text>
  </Box>
);

type LineProps = Props & { onRemove: () => void };

/** What comes from a group is changed where the group is shared. */
function GrantLine({ grant, target, onRemove }: LineProps) {
  const element = useFocusHandOver<HTMLLIElement>('[data-grants]');
  const isThroughGroup = isInherited(grant, target);
  return (
    <li ref={element}>
      <Group gap="4px 8px" p="8px 4px 8px 12px">
        <Who grant={grant} isThroughGroup={isThroughGroup} />
        {isThroughGroup ? (
          <Text pr={8}>{grantRoleLabel(grant.role)}</Text>
        ) : (
          <Group gap={4} wrap="nowrap">
            <RoleField grant={grant} target={target} />
            <IconButton isAtEdge icon={Trash2} label={`Retirer l’accès de ${grant.name}`} onClick={onRemove} />
          </Group>
        )}
      </Group>
    </li>
  );
}

type ListProps = { target: Target; onLeft: () => void };

function Grants({ target, onLeft }: ListProps) {
  const { currentData, error, isFetching, refetch } = useGrants(target);
  const [removed, setRemoved] = useState<Grant>();
  const failure = failureMessage(error, 'Impossible de charger les partages.');
  return (
    <>
      <Failure sentence={failure}>
        <RetryButton isBusy={isFetching} onRetry={refetch} />
      </Failure>
      {!currentData && failure === undefined && <Skeleton rows={2} height={56} />}
      {currentData?.items.length === 0 && <Text c="muted">Personne d’autre que son propriétaire.</Text>}
      {currentData && currentData.items.length > 0 && (
        <Lines isFramed>
          {currentData.items.map((grant) => (
            <GrantLine key={grant.id} grant={grant} target={target} onRemove={() => setRemoved(grant)} />
          ))}
        </Lines>
      )}
      {removed && <DeleteGrant grant={removed} target={target} onLeft={onLeft} onClose={() => setRemoved(undefined)} />}
    </>
  );
}

/** Who has access to a site or group besides its owner. `onLeft` is called when the user gives up their own access. */
export function GrantsList(props: ListProps) {
  const heading = useId();
  return (
    <section aria-labelledby={heading} tabIndex={-1} data-grants style={{ outline: 'none' }}>
      <Text component="h3" id={heading} fz={14} fw={600} mb={8}>
        Qui y a accès
      </Text>
      <Grants {...props} />
    </section>
  );
}
