import { Group } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { LockKeyhole } from 'lucide-react';
import type { Person } from '@vigie/contracts/users';
import { useEffect } from 'react';
import { isApiError } from '../../kit/query/api-error';
import { failureMessage, reportFailure } from '../../kit/query/failures';
import { changeSearch } from '../../kit/list/search-params';
import { EmptyState } from '../../ui/EmptyState';
import { ListCount, ListScreen } from '../../kit/list/ListScreen';
import { plural, formatNumber } from '../../ui/plural';
import { pageToShow } from '../../kit/list/usePages';
import { useMovable } from '../../ui/useMovable';
import { useNarrow } from '../../ui/useNarrow';
import { useDebouncedSearch, SearchField } from '../../kit/list/SearchField';
import { AccountPanel } from './AccountPanel';
import { CreateUserForm } from './CreateUserForm';
import { UsersSearch } from './search';
import { type Page as UsersOfPage, usersApi } from './users.api';
import { UsersTable } from './UsersTable';
import { SortChoice } from '../../kit/list/SortChoice';
import { SelectField } from '../../ui/SelectField';
import { roleChoices } from './RoleField';
import { usersSorting } from './rows';
import toolbar from '../../ui/Toolbar.module.css';

type UsersToolbarProps = {
  search: UsersSearch;
  /** Set on narrow screens, which have no column heads to sort by. */
  withSort: boolean;
  onChange: (change: Partial<UsersSearch>) => void;
};

function UsersToolbar({ search, withSort, onChange }: UsersToolbarProps) {
  return (
    <Group component="search" gap={8}>
      <SearchField
        label="Rechercher un compte"
        className={toolbar['search']}
        value={search.q ?? ''}
        onChange={(q) => onChange({ q: q || undefined, page: undefined })}
      />
      <SelectField
        aria-label="Filtrer par rôle"
        data={[{ value: '', label: 'Tous les rôles' }, ...roleChoices]}
        value={search.role ?? ''}
        onChange={(event) =>
          onChange({ role: UsersSearch.parse({ role: event.currentTarget.value }).role, page: undefined })
        }
      />
      {withSort && <SortChoice {...usersSorting(search, onChange)} />}
    </Group>
  );
}

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
const countOf = ({ total, known }: UsersOfPage): string =>
  total === known
    ? plural(known, 'compte', 'comptes')
    : `${plural(total, 'compte', 'comptes')} sur ${formatNumber(known)}`;

/** Under this width, in pixels, the users are cards. */
const narrowBelow = 1180;

function Users({ search, onChange }: Props) {
  const answer = useUsers(search);
  const { data, isForbidden } = answer;
  const isNarrow = useNarrow(narrowBelow);
  const open = pageToShow(answer)?.items.find(({ id }) => id === search.open);
  const { portal: moved, slot: account } = useMovable(open && <AccountPanel key={open.id} user={open} />);
  if (isForbidden) return <EmptyState icon={LockKeyhole} title="Accès réservé aux administrateurs." />;
  return (
    <>
      {/* Comes before the list, so that the panel can hand on the focus while it is still in its row. */}
      {moved}
      <ListScreen
        answer={answer}
        tools={
          <>
            <UsersToolbar search={search} withSort={isNarrow} onChange={onChange} />
            <ListCount at={undefined}>{data && countOf(data)}</ListCount>
          </>
        }
        page={search.page}
        pageSize={pageSize}
        onPage={(page) => onChange({ page })}
        noMatch={{
          title: 'Aucun compte ne correspond.',
          onClear: () => onChange({ q: undefined, role: undefined, page: undefined }),
        }}
        empty={null}
      >
        {({ items }) => <UsersTable {...{ search, onChange, isNarrow, narrowBelow, account }} users={items} />}
      </ListScreen>
    </>
  );
}

type AccountsProps = {
  search: UsersSearch;
  /** Offers to share sites and groups with a new client. */
  onShare: (person: Person) => void;
};

/** The accounts, under the form of a new one if it is open. */
export function Accounts({ search, onShare }: AccountsProps) {
  const navigate = useNavigate();
  const show = (change: Partial<UsersSearch>) => void navigate({ to: '.', ...changeSearch(change) });
  return (
    <>
      {search.add && <CreateUserForm onShare={onShare} onClose={() => show({ add: undefined })} />}
      <Users search={search} onChange={show} />
    </>
  );
}
