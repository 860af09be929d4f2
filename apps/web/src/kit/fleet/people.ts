import type { AdminUser } from '@vigie/contracts/users';
import { useMemo } from 'react';
import { userQueries, useIsAdmin, useUser } from './users';

const collator = new Intl.Collator('fr', { numeric: true, sensitivity: 'base' });
const noUsers: readonly AdminUser[] = [];

/** All users, by name. Only an administrator may list them: for others, and after a failure, `isListed` is false. */
export function useAllUsers() {
  const isAdmin = useIsAdmin();
  const { data, error, isLoading } = userQueries.useUsersQuery(undefined, { skip: !isAdmin });
  const users = useMemo(() => data?.items.toSorted((a, b) => collator.compare(a.name, b.name)) ?? noUsers, [data]);
  return { users, isListed: isAdmin && !error, isLoading };
}

export function useOtherUsers() {
  const userId = useUser()?.id;
  const { users, ...rest } = useAllUsers();
  return { ...rest, users: users.filter(({ id }) => id !== userId) };
}
