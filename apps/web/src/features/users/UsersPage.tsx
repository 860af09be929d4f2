import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { AdminUser } from '@vigie/contracts/users';
import { CloudOff, LockKeyhole, SearchX, UserPlus } from 'lucide-react';
import { useEffect } from 'react';
import { isApiError } from '../../app/api-error';
import { failedBy } from '../../app/failed';
import { tellFailure } from '../../app/tellFailure';
import { ClearFilters } from '../../ui/ClearFilters';
import { EmptyState } from '../../ui/EmptyState';
import { Failure } from '../../ui/Failure';
import frame from '../../ui/Page.module.css';
import { plural, spellNumber } from '../../ui/plural';
import { RetryButton } from '../../ui/RetryButton';
import { Skeleton } from '../../ui/Skeleton';
import { useMovable } from '../../ui/useMovable';
import { useNarrow } from '../../ui/useNarrow';
import { AccountPanel } from './AccountPanel';
import { CreateUserForm } from './CreateUserForm';
import { rowsOf } from './rows';
import type { UsersSearch } from './search';
import { UserCards } from './UserCards';
import { usersApi } from './users.api';
import styles from './UsersPage.module.css';
import { UsersTable } from './UsersTable';
import { UsersToolbar } from './UsersToolbar';

const failed = 'Impossible de charger les utilisateurs.';

function useUsers() {
  const { data, error, isFetching, refetch } = usersApi.useUsersQuery(undefined, { refetchOnMountOrArgChange: true });
  const { refetch: refetchMe } = usersApi.useMeQuery();
  const isForbidden = isApiError(error) && error.status === 403;
  useEffect(() => {
    if (!error) return;
    // Not a word: whoever was an administrator a moment ago is told by the guard.
    if (isForbidden) void refetchMe();
    else tellFailure(error, failed);
  }, [error, isForbidden, refetchMe]);
  const sentence = isForbidden ? undefined : failedBy(error, failed);
  return { users: data?.items, isForbidden, sentence, isFetching, retry: () => void refetch() };
}

type PageProps = { users: readonly AdminUser[]; search: UsersSearch; onChange: (change: Partial<UsersSearch>) => void };

function List({ users, search, onChange }: PageProps) {
  const isNarrow = useNarrow(1180);
  const rows = rowsOf(users, search);
  const open = rows.find(({ id }) => id === search.open);
  const { moved, place } = useMovable(open && <AccountPanel key={open.id} user={open} />);
  const Shape = isNarrow ? UserCards : UsersTable;
  return (
    <>
      {moved}
      <UsersToolbar search={search} withSort={isNarrow} onChange={onChange} />
      <output className={styles['count']}>
        {rows.length === users.length
          ? plural(users.length, 'compte', 'comptes')
          : `${plural(rows.length, 'compte', 'comptes')} sur ${spellNumber(users.length)}`}
      </output>
      <div className={styles['list']}>
        {rows.length > 0 ? (
          <Shape users={rows} search={search} account={place} onChange={onChange} />
        ) : (
          <EmptyState
            icon={SearchX}
            title="Aucun compte ne correspond."
            actions={<ClearFilters onClear={() => onChange({ q: undefined, role: undefined })} />}
          />
        )}
      </div>
    </>
  );
}

function Users({ search, onChange }: Omit<PageProps, 'users'>) {
  const { users, isForbidden, sentence, isFetching, retry } = useUsers();
  if (isForbidden) return <EmptyState icon={LockKeyhole} title="Accès réservé aux administrateurs." />;
  const again = <RetryButton isAsking={isFetching} onRetry={retry} />;
  if (!users) {
    return (
      <div className={styles['list']}>
        {sentence === undefined ? (
          <Skeleton rows={5} />
        ) : (
          <EmptyState icon={CloudOff} title={sentence} actions={again} />
        )}
      </div>
    );
  }
  return (
    <>
      <Failure sentence={sentence}>{again}</Failure>
      <List users={users} search={search} onChange={onChange} />
    </>
  );
}

export function UsersPage({ search }: { search: UsersSearch }) {
  const navigate = useNavigate();
  const show = (change: Partial<UsersSearch>) =>
    void navigate({
      to: '.',
      search: (shown: UsersSearch) => ({ ...shown, ...change }),
      replace: true,
      resetScroll: false,
    });
  return (
    <div className={frame['page']}>
      <header className={frame['head']}>
        <div>
          <h1>Utilisateurs</h1>
          <p className={frame['lead']}>Les comptes de la console, leurs rôles et leurs accès.</p>
        </div>
        <Button
          disabled={search.add === true}
          leftSection={<UserPlus size={16} aria-hidden />}
          onClick={() => show({ add: true })}
        >
          Créer un compte
        </Button>
      </header>
      {search.add && <CreateUserForm onClose={() => show({ add: undefined })} />}
      <Users search={search} onChange={show} />
    </div>
  );
}
