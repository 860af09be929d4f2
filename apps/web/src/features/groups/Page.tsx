import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { Group } from '@vigie/contracts/groups';
import { FolderTree, Plus, SearchX } from 'lucide-react';
import { useMemo, useState } from 'react';
import { type Show, showing } from '../../app/showing';
import { useListed } from '../../app/useListed';
import { EmptyState } from '../../ui/EmptyState';
import { ListFrame } from '../../ui/ListFrame';
import frame from '../../ui/Page.module.css';
import { plural } from '../../ui/plural';
import { SearchField } from '../../ui/SearchField';
import { Skeleton } from '../../ui/Skeleton';
import { DeleteGroup } from './DeleteGroup';
import { GroupDialog } from './GroupDialog';
import { GroupsTable } from './GroupsTable';
import { groupsApi } from './groups.api';
import styles from './Page.module.css';
import type { GroupsSearch } from './search';
import { linesOf, matching, treeOf } from './tree';

const failed = 'Impossible de charger les groupes.';
const none: readonly Group[] = [];

function useShow(): Show<GroupsSearch> {
  const navigate = useNavigate();
  return (change, options) => void navigate({ to: '/groups', ...showing<GroupsSearch>(change, options) });
}

/** A group that is closed hides what is below it, unless a search is on. */
function useFold() {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) => {
    const next = new Set(closed);
    if (!next.delete(id)) next.add(id);
    setClosed(next);
  };
  return { isClosed: (id: string) => closed.has(id), toggle };
}

type ListProps = { groups: readonly Group[]; search: GroupsSearch; show: Show<GroupsSearch> };

function List({ groups, search: { q = '' }, show }: ListProps) {
  const fold = useFold();
  const [deleting, setDeleting] = useState<Group>();
  const found = matching(groups, q);
  const lines = linesOf(treeOf(found), q === '' ? fold.isClosed : undefined);
  const names = useMemo(() => new Map(groups.map(({ id, name }) => [id, name])), [groups]);
  const deeds = { edit: ({ id }: Group) => show({ edit: id }), remove: setDeleting };
  return (
    <>
      {lines.length > 0 ? (
        <GroupsTable lines={lines} names={names} deeds={deeds} fold={fold} />
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

const None = ({ show }: Pick<ListProps, 'show'>) => (
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
  const answer = useListed(groupsApi.useGroupsQuery(undefined, { refetchOnMountOrArgChange: true }), failed);
  const { data } = answer;
  if (data?.length === 0) {
    return (
      <ListFrame answer={answer}>
        <None show={show} />
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
      {data ? <List groups={data} search={search} show={show} /> : <Skeleton rows={6} />}
    </ListFrame>
  );
}

export function GroupsPage({ search }: { search: GroupsSearch }) {
  const show = useShow();
  const { data: groups = none } = groupsApi.useGroupsQuery();
  const edited = groups.find(({ id }) => id === search.edit);
  const close = (isSaved = false) => show({ add: undefined, edit: undefined }, { isSaved });
  return (
    <div className={frame['page']}>
      <header className={frame['head']}>
        <div>
          <h1>Groupes</h1>
          <p className={frame['lead']}>Vos sites et vos serveurs, rangés les uns dans les autres.</p>
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
