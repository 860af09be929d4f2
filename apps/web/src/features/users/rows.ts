import { type AdminUser, userColumns } from '@vigie/contracts/users';
import type { Column, UsersSearch } from './search';

const roleLabels = { admin: 'Administrateur', client: 'Client' } as const;
export const roleLabel = ({ role }: Pick<AdminUser, 'role'>): string => roleLabels[role];

export const columnLabels: Record<Column, string> = {
  first_name: 'Prénom',
  last_name: 'Nom',
  email: 'Email',
  role: 'Rôle',
  has_2fa: '2FA',
  last_login_at: 'Dernière connexion',
  created_at: 'Création',
};

export const usersSorting = (
  { sort = 'last_name', order }: UsersSearch,
  onChange: (change: Partial<UsersSearch>) => void,
) => ({
  columns: userColumns,
  labels: columnLabels,
  sorted: { column: sort, isDescending: order === 'desc' },
  onSort: (column: Column, isDescending: boolean) =>
    onChange({ sort: column, order: isDescending ? 'desc' : undefined, page: undefined }),
});
