import { Box, Stack } from '@mantine/core';
import type { AdminUser } from '@vigie/contracts/users';
import { ChevronDown, ChevronUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { nameOf } from '../../kit/fleet/users';
import type { Column } from '../../kit/list/data-table';
import { DataTable } from '../../kit/list/DataTable';
import { IconButton } from '../../ui/IconButton';
import { TimeAgo } from '../../ui/TimeAgo';
import { useNarrow } from '../../ui/useNarrow';
import { NameField } from './NameField';
import { RoleField } from './RoleField';
import { columnLabels as labels, roleLabel, usersSorting } from './rows';
import type { UsersSearch } from './search';
import styles from './users.module.css';
import { Status } from '../../ui/Status';

/** `isNamed`: names 2FA in the label, where no column head does. */
function TwoFactorState({ user, isNamed = false }: { user: AdminUser; isNamed?: boolean }) {
  if (isNamed) return user.has_2fa ? <Status tone="ok">2FA</Status> : <Status tone="neutral">Sans 2FA</Status>;
  return user.has_2fa ? <Status tone="ok">Activée</Status> : <Status tone="neutral">Désactivée</Status>;
}

type Props = {
  users: readonly AdminUser[];
  search: UsersSearch;
  onChange: (change: Partial<UsersSearch>) => void;
  isNarrow: boolean;
  narrowBelow: number;
  /** The panel of the open account. */
  account: ReactNode;
};

type FoldProps = { user: AdminUser; isOpen: boolean; onToggle: () => void };

const detailsId = (user: AdminUser) => `account-${user.id}`;

/** A card unfolds for the details. */
function Summary({ user, isOpen, onToggle }: FoldProps) {
  const Icon = isOpen ? ChevronUp : ChevronDown;
  return (
    <button
      type="button"
      className={styles['summary']}
      aria-expanded={isOpen}
      aria-controls={isOpen ? detailsId(user) : undefined}
      onClick={onToggle}
    >
      <span className={styles['lines']}>
        <span className={styles['name']}>{nameOf(user)}</span>
        <span>
          {roleLabel(user)} · {user.email}
        </span>
      </span>
      <TwoFactorState user={user} isNamed />
      <Icon size={18} aria-hidden />
    </button>
  );
}

const CardDetails = ({ user, account }: { user: AdminUser; account: ReactNode }) => (
  <Stack id={detailsId(user)} gap={20} p="8px 16px 24px">
    <Box className={styles['fields']} __vars={{ '--column': '200px' }} style={{ rowGap: 12 }}>
      <NameField user={user} field="first_name" />
      <NameField user={user} field="last_name" />
      <RoleField user={user} />
    </Box>
    {account}
  </Stack>
);

const FoldButton = ({ user, isOpen, onToggle }: FoldProps) => (
  <IconButton
    icon={isOpen ? ChevronUp : ChevronDown}
    label={`Gérer le compte de ${nameOf(user)}`}
    aria-expanded={isOpen}
    isAtEdge
    onClick={onToggle}
  />
);

const columns: readonly Column<AdminUser>[] = [
  {
    id: 'first_name',
    label: labels.first_name,
    width: '14%',
    render: (user) => <NameField user={user} field="first_name" isInTable />,
  },
  {
    id: 'last_name',
    label: labels.last_name,
    width: '16%',
    render: (user) => <NameField user={user} field="last_name" isInTable />,
  },
  {
    id: 'email',
    label: labels.email,
    isRowHeader: true,
    render: ({ email }) => (
      <div className={styles['cell']} title={email}>
        {email}
      </div>
    ),
  },
  { id: 'role', label: labels.role, width: 166, render: (user) => <RoleField user={user} isInTable /> },
  {
    id: 'has_2fa',
    label: labels.has_2fa,
    width: 116,
    render: (user) => (
      <span className={styles['cell']}>
        <TwoFactorState user={user} />
      </span>
    ),
  },
  {
    id: 'last_login_at',
    label: labels.last_login_at,
    width: 158,
    isMuted: true,
    render: ({ last_login_at: at }) => <span className={styles['cell']}>{at ? <TimeAgo at={at} /> : 'Jamais'}</span>,
  },
  {
    id: 'created_at',
    label: labels.created_at,
    width: 120,
    isMuted: true,
    render: ({ created_at: at }) => (
      <span className={styles['cell']}>
        <TimeAgo at={at} />
      </span>
    ),
  },
];

export function UsersTable({ users, search, onChange, isNarrow, narrowBelow, account }: Props) {
  const isWide = !useNarrow(1360);
  const isOpen = ({ id }: AdminUser) => search.open === id;
  const fold = (user: AdminUser) => ({
    user,
    isOpen: isOpen(user),
    onToggle: () => onChange({ open: isOpen(user) ? undefined : user.id }),
  });
  const details = (user: AdminUser) =>
    isNarrow ? <CardDetails user={user} account={account} /> : <Box p="8px 16px 20px">{account}</Box>;
  return (
    <DataTable
      className={styles['table']}
      narrowBelow={narrowBelow}
      rows={users}
      rowId={({ id }) => id}
      columns={[
        // The unfolded row shows the date too.
        ...columns.filter(({ id }) => isWide || id !== 'created_at'),
        {
          id: 'fold',
          label: 'Gérer',
          isLabelHidden: true,
          align: 'right',
          width: 48,
          render: (user) => <FoldButton {...fold(user)} />,
        },
      ]}
      sorting={usersSorting(search, onChange)}
      renderDetails={(user) => isOpen(user) && details(user)}
      renderCard={(user) => <Summary {...fold(user)} />}
    />
  );
}
