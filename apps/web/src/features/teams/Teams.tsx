import { Group, Text } from '@mantine/core';
import type { Team } from '@vigie/contracts/teams';
import { Pencil, Trash2, UsersRound } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog } from '../../kit/dialog/ConfirmDialog';
import { useAllUsers } from '../../kit/fleet/people';
import { actionsColumn, type Column } from '../../kit/list/data-table';
import { DataTable } from '../../kit/list/DataTable';
import { ListScreen } from '../../kit/list/ListScreen';
import { useListQuery } from '../../kit/list/useListQuery';
import { EmptyState } from '../../ui/EmptyState';
import { IconButton } from '../../ui/IconButton';
import { toast } from '../../ui/toasts';
import { nameMembers } from './members';
import { TeamDialog } from './TeamDialog';
import { teamsApi } from './teams.api';

type DeleteProps = { team: Team; onClose: () => void };

function DeleteTeam({ team: { id, name }, onClose }: DeleteProps) {
  const [deleteTeam, call] = teamsApi.useDeleteTeamMutation();
  const confirm = async () => {
    const { error } = await deleteTeam({ id });
    if (error) return;
    toast.success(`Équipe ${name} supprimée.`);
    onClose();
  };
  return (
    <ConfirmDialog
      title={`Supprimer l’équipe ${name}\u202f?`}
      action="Supprimer"
      call={call}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <p>Ses membres perdent l’accès à ce qui est partagé avec elle. Leurs comptes restent.</p>
    </ConfirmDialog>
  );
}

type TeamActions = { edit: (team: Team) => void; remove: (team: Team) => void };
type TableProps = { teams: readonly Team[]; actions: TeamActions };

const ActionButtons = ({ team, actions }: { team: Team; actions: TeamActions }) => (
  <Group gap={0} wrap="nowrap" flex="none">
    <IconButton isAtEdge icon={Pencil} label={`Modifier ${team.name}`} onClick={() => actions.edit(team)} />
    <IconButton isAtEdge icon={Trash2} label={`Supprimer ${team.name}`} onClick={() => actions.remove(team)} />
  </Group>
);

function TeamsTable({ teams, actions }: TableProps) {
  const { users } = useAllUsers();
  const names = new Map(users.map(({ id, name }) => [id, name]));
  const columns: Column<Team>[] = [
    { id: 'name', label: 'Nom', width: '30%', isRowHeader: true, render: ({ name }) => <Text fw={600}>{name}</Text> },
    { id: 'members', label: 'Membres', isMuted: true, render: (team) => nameMembers(team.user_ids, names) },
    {
      ...actionsColumn,
      width: 'calc(2 * var(--control-height) + 16px)',
      render: (team) => <ActionButtons team={team} actions={actions} />,
    },
  ];
  return (
    <DataTable
      rows={teams}
      rowId={({ id }) => id}
      focusTo="main"
      columns={columns}
      renderCard={(team) => (
        <Group gap={8} p="4px 4px 4px 12px" wrap="nowrap" justify="space-between">
          <div>
            <Text fw={600}>{team.name}</Text>
            <Text variant="note">{nameMembers(team.user_ids, names)}</Text>
          </div>
          <ActionButtons team={team} actions={actions} />
        </Group>
      )}
    />
  );
}

const NoTeams = () => (
  <EmptyState icon={UsersRound} title="Aucune équipe pour l’instant.">
    <p>Un site ou un groupe partagé avec une équipe l’est avec tous ses membres, tant qu’ils en font partie.</p>
  </EmptyState>
);

type Props = {
  /** Whether the form for a new team is open. */
  isAdding: boolean;
  onAdded: () => void;
};

type OpenDialog = { action: 'edit' | 'delete'; team: Team };

export function Teams({ isAdding, onAdded }: Props) {
  const answer = useListQuery(
    teamsApi.useTeamsQuery(undefined, { refetchOnMountOrArgChange: true }),
    'Impossible de charger les équipes.',
  );
  const [open, setOpen] = useState<OpenDialog>();
  const close = () => setOpen(undefined);
  const actions: TeamActions = {
    edit: (team) => setOpen({ action: 'edit', team }),
    remove: (team) => setOpen({ action: 'delete', team }),
  };
  return (
    <>
      <ListScreen answer={answer} noMatch={false} empty={<NoTeams />} placeholderRows={3}>
        {({ items }) => <TeamsTable teams={items} actions={actions} />}
      </ListScreen>
      {isAdding && <TeamDialog team={undefined} onClose={onAdded} />}
      {open?.action === 'edit' && <TeamDialog team={open.team} onClose={close} />}
      {open?.action === 'delete' && <DeleteTeam team={open.team} onClose={close} />}
    </>
  );
}
