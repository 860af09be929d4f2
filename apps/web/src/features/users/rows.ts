import type { AdminUser } from '@vigie/contracts/users';
import { plain } from '@vigie/contracts/plain';
import type { Column, UsersSearch } from './search';

const collator = new Intl.Collator('fr', { numeric: true, sensitivity: 'base' });

function isAsked(user: AdminUser, { q = '', role }: UsersSearch): boolean {
  if (role !== undefined && user.role !== role) return false;
  const text = plain([user.first_name, user.last_name, user.email].join(' '));
  return plain(q)
    .split(/\s+/)
    .every((word) => text.includes(word));
}

const roleWords = { admin: 'Administrateur', client: 'Client' } as const;
export const roleWord = ({ role }: Pick<AdminUser, 'role'>): string => roleWords[role];

function keyOf(user: AdminUser, column: Column): string | null {
  if (column === 'has_2fa') return user.has_2fa ? 'Activée' : 'Désactivée';
  return column === 'role' ? roleWord(user) : user[column];
}

/** What is missing comes last whichever way the rest is sorted; equals go by their address. */
function compare(a: AdminUser, b: AdminUser, column: Column, sign: 1 | -1): number {
  const [left, right] = [keyOf(a, column), keyOf(b, column)];
  if (left === null || right === null) {
    if (left !== right) return left === null ? 1 : -1;
  } else if (collator.compare(left, right) !== 0) return sign * collator.compare(left, right);
  return collator.compare(a.email, b.email);
}

/** The lines that are asked for, in the order that is asked for. */
export function rowsOf(users: readonly AdminUser[], search: UsersSearch): AdminUser[] {
  const { sort = 'last_name', order } = search;
  const sign = order === 'desc' ? -1 : 1;
  return users.filter((user) => isAsked(user, search)).sort((a, b) => compare(a, b, sort, sign));
}

export const nameOf = (user: AdminUser): string =>
  [user.first_name, user.last_name].filter(Boolean).join(' ') || user.email;

export const columnLabels: Record<Column, string> = {
  first_name: 'Prénom',
  last_name: 'Nom',
  email: 'Email',
  role: 'Rôle',
  has_2fa: '2FA',
  last_login_at: 'Dernière connexion',
  created_at: 'Création',
};
