import { type AdminUser, userColumns as columns } from '@vigie/contracts/users';
import { ChevronDown, ChevronUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../../ui/IconButton';
import { sortColumns, Table, type TableColumn } from '../../kit/list/Table';
import { TimeAgo } from '../../ui/TimeAgo';
import { NameField } from './NameField';
import { RoleField } from './RoleField';
import { nameOf } from '../../kit/fleet/users';
import { columnLabels } from './rows';
import type { Column, UsersSearch } from './search';
import { TwoFactorState } from './TwoFactorState';
import { useFocusHandOver } from '../../ui/useFocusHandOver';
import { useNarrow } from '../../ui/useNarrow';
import styles from './UsersTable.module.css';

export type ListProps = {
  users: readonly AdminUser[];
  search: UsersSearch;
  onChange: (change: Partial<UsersSearch>) => void;
  /** The panel of the open account. */
  account: ReactNode;
};

type RowProps = Pick<ListProps, 'account'> & {
  user: AdminUser;
  shownColumns: readonly Column[];
  isOpen: boolean;
  onToggle: () => void;
};

function Row({ user, shownColumns, account, isOpen, onToggle }: RowProps) {
  const line = useFocusHandOver<HTMLTableRowElement>();
  return (
    <>
      <tr ref={line} data-open={isOpen || undefined}>
        <td>
          <NameField user={user} field="first_name" isInTable />
        </td>
        <td>
          <NameField user={user} field="last_name" isInTable />
        </td>
        <th scope="row" className={styles['email']} title={user.email}>
          {user.email}
        </th>
        <td>
          <RoleField user={user} isInTable />
        </td>
        <td className={styles['state']}>
          <TwoFactorState user={user} />
        </td>
        <td className={styles['date']}>{user.last_login_at ? <TimeAgo at={user.last_login_at} /> : 'Jamais'}</td>
        {shownColumns.includes('created_at') && (
          <td className={styles['date']}>
            <TimeAgo at={user.created_at} />
          </td>
        )}
        <td>
          <IconButton
            icon={isOpen ? ChevronUp : ChevronDown}
            label={`Gérer le compte de ${nameOf(user)}`}
            aria-expanded={isOpen}
            isAtEdge
            onClick={onToggle}
          />
        </td>
      </tr>
      {isOpen && (
        <tr className={styles['details']}>
          <td colSpan={shownColumns.length + 1}>{account}</td>
        </tr>
      )}
    </>
  );
}

export function UsersTable({ users, search, onChange, account }: ListProps) {
  const isWide = !useNarrow(1360);
  // The unfolded row shows the date too.
  const shownColumns = isWide ? columns : columns.filter((column) => column !== 'created_at');
  const heads: TableColumn[] = [
    ...sortColumns({
      columns: shownColumns,
      labels: columnLabels,
      sorted: { column: search.sort ?? 'last_name', isDescending: search.order === 'desc' },
      onSort: (column, isDescending) =>
        onChange({ sort: column, order: isDescending ? 'desc' : undefined, page: undefined }),
    }),
    { label: 'Gérer', isHidden: true },
  ];
  return (
    <Table className={styles['table']} columns={heads}>
      <tbody>
        {users.map((user) => (
          <Row
            key={user.id}
            user={user}
            shownColumns={shownColumns}
            account={account}
            isOpen={search.open === user.id}
            onToggle={() => onChange({ open: search.open === user.id ? undefined : user.id })}
          />
        ))}
      </tbody>
    </Table>
  );
}
