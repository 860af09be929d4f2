import { Button } from '@mantine/core';
import { lazyRouteComponent, useNavigate } from '@tanstack/react-router';
import type { Person } from '@vigie/contracts/users';
import { Plus, UserPlus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Accounts } from '../../features/users/Accounts';
import type { UsersSearch } from '../../features/users/search';
import { changeSearch } from '../../kit/list/search-params';
import { Segments } from '../../ui/Choices';
import { Page } from '../../ui/Page';
import { Skeleton } from '../../ui/Skeleton';

const ShareWith = lazyRouteComponent(() => import('../../features/grants/ShareWithDialog'), 'ShareWithDialog');
const Teams = lazyRouteComponent(() => import('../../features/teams/Teams'), 'Teams');

const views = [
  { value: 'accounts', label: 'Comptes' },
  { value: 'teams', label: 'Équipes' },
] as const;

type Props = { search: UsersSearch };

/** The search of one view means nothing to the other. */
function Views({ search }: Props) {
  const navigate = useNavigate();
  const show = (view: 'accounts' | 'teams') =>
    void navigate({ to: '/admin/users', search: view === 'teams' ? { view } : {}, replace: true, resetScroll: false });
  return (
    <div>
      <Segments label="Comptes ou équipes" choices={views} value={search.view ?? 'accounts'} onChange={show} />
    </div>
  );
}

/** The accounts or the teams, and what a new client gets to see. */
export function UsersScreen({ search }: Props) {
  const [person, setPerson] = useState<Person>();
  const navigate = useNavigate();
  const setAdding = (add: true | undefined) => void navigate({ to: '.', ...changeSearch<UsersSearch>({ add }) });
  const isTeams = search.view === 'teams';
  const Icon = isTeams ? Plus : UserPlus;
  return (
    <Page
      title="Utilisateurs"
      lead={
        isTeams
          ? 'Des comptes réunis sous un nom, avec lesquels partager des sites et des groupes.'
          : 'Les comptes de la console, leurs rôles et leurs accès.'
      }
      action={
        <Button
          disabled={!isTeams && search.add === true}
          leftSection={<Icon size={16} aria-hidden />}
          onClick={() => setAdding(true)}
        >
          {isTeams ? 'Nouvelle équipe' : 'Créer un compte'}
        </Button>
      }
    >
      <Views search={search} />
      {!isTeams && <Accounts search={search} onShare={setPerson} />}
      <Suspense fallback={<Skeleton rows={3} />}>
        {isTeams && <Teams isAdding={search.add === true} onAdded={() => setAdding(undefined)} />}
      </Suspense>
      <Suspense>{person && <ShareWith person={person} onClose={() => setPerson(undefined)} />}</Suspense>
    </Page>
  );
}
