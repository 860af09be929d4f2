import { lazyRouteComponent, useNavigate } from '@tanstack/react-router';
import type { Person } from '@vigie/contracts/users';
import { Suspense, useState } from 'react';
import type { UsersSearch } from '../../features/users/search';
import { UsersPage } from '../../features/users/UsersPage';
import { Segments } from '../../ui/Choices';

const ShareWith = lazyRouteComponent(() => import('../../features/grants/ShareWithDialog'), 'ShareWithDialog');
const Teams = lazyRouteComponent(() => import('../../features/teams/TeamsPage'), 'TeamsPage');

const views = [
  { value: 'accounts', label: 'Comptes' },
  { value: 'teams', label: 'Équipes' },
] as const;

function Views({ view }: { view: 'accounts' | 'teams' }) {
  const navigate = useNavigate();
  return (
    <div>
      <Segments
        label="Comptes ou équipes"
        choices={views}
        value={view}
        onChange={(next) =>
          void navigate({ to: '/admin/users', search: next === 'teams' ? { view: next } : {}, replace: true })
        }
      />
    </div>
  );
}

/** The accounts and the teams, and what a new client gets to see. */
export function UsersScreen({ search }: { search: UsersSearch }) {
  const [person, setPerson] = useState<Person>();
  if (search.view === 'teams') return <Teams tabs={<Views view="teams" />} />;
  return (
    <>
      <UsersPage search={search} tabs={<Views view="accounts" />} onShare={setPerson} />
      {person && (
        <Suspense>
          <ShareWith person={person} onClose={() => setPerson(undefined)} />
        </Suspense>
      )}
    </>
  );
}
