import { Box, Button, Group, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { editGroup, type Group as SiteGroup } from '@vigie/contracts/groups';
import { FolderTree, Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { ConfirmDialog } from '../../kit/dialog/ConfirmDialog';
import { allows } from '../../kit/fleet/roles';
import { filterGroups, linesOf, treeOf } from '../../kit/fleet/groups-tree';
import { ListScreen } from '../../kit/list/ListScreen';
import { SearchField } from '../../kit/list/SearchField';
import { type ChangeSearch, changeSearch } from '../../kit/list/search-params';
import { useListQuery } from '../../kit/list/useListQuery';
import { EmptyState } from '../../ui/EmptyState';
import { Page } from '../../ui/Page';
import { plural } from '../../ui/plural';
import { toast } from '../../ui/toasts';
import { GroupDialog } from './GroupDialog';
import { GroupsTable } from './GroupsTable';
import { groupsApi } from './groups.api';
import type { GroupsSearch } from './search';

const loadFailed = 'Impossible de charger les groupes.';
const noGroups: readonly SiteGroup[] = [];

function useShow(): ChangeSearch<GroupsSearch> {
  const navigate = useNavigate();
  return (change, options) => void navigate({ to: '/groups', ...changeSearch<GroupsSearch>(change, options) });
}

/** The closed groups, whose subgroups are hidden except during a search. */
function useFold() {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) => {
    const next = new Set(closed);
    if (!next.delete(id)) next.add(id);
    setClosed(next);
  };
  return { isClosed: (id: string) => closed.has(id), toggle };
}

type Props = { search: GroupsSearch; show: ChangeSearch<GroupsSearch> };

const NoGroups = ({ show }: Pick<Props, 'show'>) => (
  <EmptyState
    icon={FolderTree}
    title="Aucun groupe pour l’instant."
    actions={
      <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => show({ add: true })}>
        Nouveau groupe
      </Button>
    }
  >
    <p>Rangez vos sites et vos serveurs par client, par usage ou par équipe, puis filtrez les listes.</p>
  </EmptyState>
);

function Content({ search: { q = '' }, show }: Props) {
  const answer = useListQuery(groupsApi.useGroupsQuery(undefined, { refetchOnMountOrArgChange: true }), loadFailed);
  const { data: groups = noGroups } = answer;
  const fold = useFold();
  const [deleting, setDeleting] = useState<SiteGroup>();
  const lines = linesOf(treeOf(filterGroups(groups, q)), q === '' ? fold.isClosed : undefined);
  const names = useMemo(() => new Map(groups.map(({ id, name }) => [id, name])), [groups]);
  const page = answer.data && { total: lines.length };
  const setQuery = (text: string) => show({ q: text || undefined });
  const actions = {
    edit: ({ id }: SiteGroup) => show({ edit: id }),
    share: ({ id }: SiteGroup) => show({ share: id }),
    publish: ({ id }: SiteGroup) => show({ page: id }),
    maintain: ({ id }: SiteGroup) => show({ maintenance: id }),
    give: ({ id }: SiteGroup) => show({ owner: id }),
    remove: setDeleting,
  };
  return (
    <>
      <ListScreen
        answer={{ ...answer, data: page, currentData: page }}
        tools={(!answer.data || groups.length > 0) && <Tools q={q} count={answer.data?.length} onChange={setQuery} />}
        noMatch={
          groups.length > 0 && {
            title: 'Aucun groupe ne correspond.',
            label: 'Effacer la recherche',
            onClear: () => setQuery(''),
          }
        }
        empty={<NoGroups show={show} />}
      >
        {() => <GroupsTable lines={lines} names={names} actions={actions} fold={fold} />}
      </ListScreen>
      {deleting && <DeleteGroup group={deleting} groups={groups} onClose={() => setDeleting(undefined)} />}
    </>
  );
}

type ToolsProps = { q: string; count: number | undefined; onChange: (q: string) => void };

function Tools({ q, count, onChange }: ToolsProps) {
  return (
    <Group component="search" justify="space-between" gap="8px 16px">
      <Box flex="1 1 220px" maw={{ sm: 360 }}>
        <SearchField label="Rechercher un groupe" value={q} onChange={onChange} />
      </Box>
      <Text component="output" mih={20} fz={13} c="muted">
        {count !== undefined && plural(count, 'groupe', 'groupes')}
      </Text>
    </Group>
  );
}

export function GroupsPage({ search }: { search: GroupsSearch }) {
  const show = useShow();
  const { data: groups = noGroups } = groupsApi.useGroupsQuery();
  const edited = groups.find((group) => group.id === search.edit && allows(group, editGroup));
  const close = (isSaved = false) => show({ add: undefined, edit: undefined }, { isSaved });
  return (
    <Page
      title="Groupes"
      lead="Rangez vos sites et vos serveurs en groupes et sous-groupes."
      action={
        <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => show({ add: true })}>
          Nouveau groupe
        </Button>
      }
    >
      <Content search={search} show={show} />
      {(search.add || edited) && (
        <GroupDialog
          key={search.add ? 'add' : edited?.id}
          group={search.add ? undefined : edited}
          groups={groups}
          onSaved={() => close(true)}
          onClose={() => close()}
        />
      )}
    </Page>
  );
}

type DeleteGroupProps = { group: SiteGroup; groups: readonly SiteGroup[]; onClose: () => void };

const list = new Intl.ListFormat('fr-FR');

/** Says where the subgroups move to. */
function DeleteGroup({ group, groups, onClose }: DeleteGroupProps) {
  const [deleteGroup, call] = groupsApi.useDeleteGroupMutation();
  const { id, name, parent_id: parentId, sitesCount: sites, serversCount: servers } = group;
  const children = groups.filter((other) => other.parent_id === id);
  const parent = groups.find((other) => other.id === parentId);
  const confirm = async () => {
    const { error } = await deleteGroup({ id });
    if (error) return;
    toast.success(`Groupe ${name} supprimé.`);
    onClose();
  };
  const where = parent ? `dans le groupe ${parent.name}` : 'au premier niveau';
  return (
    <ConfirmDialog
      title={`Supprimer le groupe ${name}\u202f?`}
      action="Supprimer"
      call={call}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      {children.length > 0 && (
        <p>
          {children.length === 1 ? 'Son sous-groupe ' : 'Ses sous-groupes '}
          <strong>{list.format(children.map((child) => child.name))}</strong>
          {children.length === 1 ? ` ira ${where}.` : ` iront ${where}.`}
        </p>
      )}
      <p>
        {sites + servers > 0
          ? `${list.format([
              ...(sites > 0 ? [plural(sites, 'site', 'sites')] : []),
              ...(servers > 0 ? [plural(servers, 'serveur', 'serveurs')] : []),
            ])} en font partie, sous-groupes compris\u00a0: aucun n’est supprimé.`
          : 'Aucun site ni serveur n’est supprimé.'}
      </p>
    </ConfirmDialog>
  );
}
