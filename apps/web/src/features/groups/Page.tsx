import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { Group } from '@vigie/contracts/groups';
import { FolderTree, Plus, SearchX } from 'lucide-react';
import { useMemo, useState } from 'react';
import { type ChangeSearch, changeSearch } from '../../kit/list/changeSearch';
import { useListQuery } from '../../kit/list/useListQuery';
import { EmptyState } from '../../ui/EmptyState';
import { ListFrame } from '../../kit/list/ListFrame';
import frame from '../../ui/Page.module.css';
import { plural } from '../../ui/plural';
import { SearchField } from '../../kit/list/SearchField';
import { Skeleton } from '../../ui/Skeleton';
import { DeleteGroup } from './DeleteGroup';
import { GroupDialog } from './GroupDialog';
import { GroupsTable } from './GroupsTable';
import { groupsApi } from './groups.api';
import styles from './Page.module.css';
import type { GroupsSearch } from './search';
import { linesOf, filterGroups, treeOf } from '../../kit/fleet/groups-tree';

const loadFailed = 'Impossible de charger les groupes.';
const noGroups: readonly Group[] = [];

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

type ListProps = { groups: readonly Group[]; search: GroupsSearch; show: ChangeSearch<GroupsSearch> };

function GroupsList({ groups, search: { q = '' }, show }: ListProps) {
  const fold = useFold();
  const [deleting, setDeleting] = useState<Group>();
  const matchingGroups = filterGroups(groups, q);
  const lines = linesOf(treeOf(matchingGroups), q === '' ? fold.isClosed : undefined);
  const names = useMemo(() => new Map(groups.map(({ id, name }) => [id, name])), [groups]);
  const actions = { edit: ({ id }: Group) => show({ edit: id }), remove: setDeleting };
  return (
    <>
      {lines.length > 0 ? (
        <GroupsTable lines={lines} names={names} actions={actions} fold={fold} />
      ) : (
        <EmptyState
          icon={SearchX}
          title="Aucun groupe ne correspond."
          actions={
            <Button variant="default" onClick={() => show({ q: undefined })}>
              Effacer la recherche
            </Button>
          }
        />
      )}
      {deleting && <DeleteGroup group={deleting} groups={groups} onClose={() => setDeleting(undefined)} />}
    </>
  );
}

const NoGroups = ({ show }: Pick<ListProps, 'show'>) => (
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

function Content({ search, show }: Omit<ListProps, 'groups'>) {
  const answer = useListQuery(groupsApi.useGroupsQuery(undefined, { refetchOnMountOrArgChange: true }), loadFailed);
  const { data } = answer;
  if (data?.length === 0) {
    return (
      <ListFrame answer={answer}>
        <NoGroups show={show} />
      </ListFrame>
    );
  }
  const tools = data && (
    <search className={styles['toolbar']}>
      <SearchField
        label="Rechercher un groupe"
        className={styles['search']}
        value={search.q ?? ''}
        onChange={(text) => show({ q: text || undefined })}
      />
      <output className={styles['total']}>{plural(data.length, 'groupe', 'groupes')}</output>
    </search>
  );
  return (
    <ListFrame answer={answer} tools={tools}>
      {data ? <GroupsList groups={data} search={search} show={show} /> : <Skeleton rows={6} />}
    </ListFrame>
  );
}

export function GroupsPage({ search }: { search: GroupsSearch }) {
  const show = useShow();
  const { data: groups = noGroups } = groupsApi.useGroupsQuery();
  const edited = groups.find(({ id }) => id === search.edit);
  const close = (isSaved = false) => show({ add: undefined, edit: undefined }, { isSaved });
  return (
    <div className={frame['page']}>
      <header className={frame['head']}>
        <div>
          <h1>Groupes</h1>
          <p className={frame['lead']}>Rangez vos sites et vos serveurs en groupes et sous-groupes.</p>
        </div>
        <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => show({ add: true })}>
          Nouveau groupe
        </Button>
      </header>
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
    </div>
  );
}
