import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { LockKeyhole, SearchX, UserPlus } from 'lucide-react';
import { useEffect } from 'react';
import { isApiError } from '../../kit/query/api-error';
import { failureMessage, reportFailure } from '../../kit/query/failures';
import { changeSearch } from '../../kit/list/changeSearch';
import { ClearFilters } from '../../kit/list/ClearFilters';
import { EmptyState } from '../../ui/EmptyState';
import { ListFrame } from '../../kit/list/ListFrame';
import frame from '../../ui/Page.module.css';
import { Pager } from '../../kit/list/Pager';
import { plural, formatNumber } from '../../ui/plural';
import { pageToShow } from '../../kit/list/pageToShow';
import { Skeleton } from '../../ui/Skeleton';
import { useMovable } from '../../ui/useMovable';
import { useNarrow } from '../../ui/useNarrow';
import { usePages } from '../../kit/list/usePages';
import { useDebouncedSearch } from '../../kit/list/useDebouncedSearch';
import { AccountPanel } from './AccountPanel';
import { CreateUserForm } from './CreateUserForm';
import type { UsersSearch } from './search';
import { UserCards } from './UserCards';
import { type Page, usersApi } from './users.api';
import styles from './UsersPage.module.css';
import { type ListProps, UsersTable } from './UsersTable';
import { UsersToolbar } from './UsersToolbar';

const loadFailed = 'Impossible de charger les utilisateurs.';
const pageSize = 50;

function useUsers({ q = '', role, sort = 'last_name', order, page = 1 }: UsersSearch) {
  const params = { q: useDebouncedSearch(q), role, sort, order, limit: pageSize, offset: (page - 1) * pageSize };
  const answer = usersApi.useUsersQuery(params, { refetchOnMountOrArgChange: true });
  const { error, refetch } = answer;
  const { refetch: refetchMe } = usersApi.useMeQuery();
  const isForbidden = isApiError(error) && error.status === 403;
  useEffect(() => {
    if (!error) return;
    // The specification ignores a 403 here: reading the user again lets the admin guard answer.
    if (isForbidden) void refetchMe();
    else reportFailure(error, loadFailed);
  }, [error, isForbidden, refetchMe]);
  const sentence = isForbidden ? undefined : failureMessage(error, loadFailed);
  return { ...answer, isForbidden, sentence, refresh: () => void refetch() };
}

type Props = { search: UsersSearch; onChange: (change: Partial<UsersSearch>) => void };
type UsersListProps = Pick<ListProps, 'search' | 'account' | 'onChange'> & {
  page: Page;
  isNarrow: boolean;
  goTo: (page: number) => void;
};

const countOf = ({ total, known }: Page): string =>
  total === known
    ? plural(known, 'compte', 'comptes')
    : `${plural(total, 'compte', 'comptes')} sur ${formatNumber(known)}`;

function UsersList({ page: { items, total }, isNarrow, goTo, ...rest }: UsersListProps) {
  const { search, onChange } = rest;
  const Layout = isNarrow ? UserCards : UsersTable;
  if (items.length === 0) {
    return (
      <EmptyState
        icon={SearchX}
        title="Aucun compte ne correspond."
        actions={<ClearFilters onClear={() => onChange({ q: undefined, role: undefined, page: undefined })} />}
      />
    );
  }
  return (
    <>
      <Layout {...rest} users={items} />
      <Pager page={search.page ?? 1} size={pageSize} total={total} onChange={goTo} />
    </>
  );
}

function Users({ search, onChange }: Props) {
  const answer = useUsers(search);
  const { data, currentData, isForbidden } = answer;
  const isNarrow = useNarrow(1180);
  const goTo = usePages({ page: search.page, size: pageSize, total: currentData?.total }, (page) => onChange({ page }));
  const page = pageToShow(answer);
  const open = page?.items.find(({ id }) => id === search.open);
  const { portal: moved, slot: place } = useMovable(open && <AccountPanel key={open.id} user={open} />);
  if (isForbidden) return <EmptyState icon={LockKeyhole} title="Accès réservé aux administrateurs." />;
  const tools = data && (
    <>
      <UsersToolbar search={search} withSort={isNarrow} onChange={onChange} />
      <output className={styles['count']}>{countOf(data)}</output>
    </>
  );
  const rest = { search, isNarrow, account: place, goTo, onChange };
  return (
    <>
      {/* Comes before the list, so that the panel can hand on the focus while it is still in its row. */}
      {moved}
      <ListFrame answer={answer} tools={tools}>
        {page ? <UsersList page={page} {...rest} /> : <Skeleton rows={5} />}
      </ListFrame>
    </>
  );
}

export function UsersPage({ search }: { search: UsersSearch }) {
  const navigate = useNavigate();
  const show = (change: Partial<UsersSearch>) => void navigate({ to: '.', ...changeSearch(change) });
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
