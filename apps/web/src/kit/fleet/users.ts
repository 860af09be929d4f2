import { type AdminUser, listUsers, readMe } from '@vigie/contracts/users';
import { useMemo } from 'react';
import { api } from '../query/api';
import { queryOf } from '../query/endpoints';

/** The users' feature adds its own calls. */
export const userQueries = api.injectEndpoints({
  endpoints: (build) => ({
    me: build.query(queryOf(readMe)),
    users: build.query(queryOf(listUsers)),
  }),
});

/** The current user. The shell shows hardly any screen before it is known. */
export const useUser = () => userQueries.useMeQuery().data;

export const nameOf = (user: AdminUser): string =>
  [user.first_name, user.last_name].filter(Boolean).join(' ') || user.email;

/** "à Anne Martin" for an item of somebody else, which only admin mode shows. */
export function useOwnerLabel({ owner_id: id }: { owner_id?: string | undefined }): string | undefined {
  const userId = useUser()?.id;
  const isOwn = id === undefined || userId === undefined || id === userId;
  const { data } = userQueries.useUsersQuery(undefined, { skip: isOwn });
  const owner = isOwn ? undefined : data?.items.find((user) => user.id === id);
  return owner && `à ${nameOf(owner)}`;
}

const collator = new Intl.Collator('fr', { numeric: true, sensitivity: 'base' });
const noUsers: readonly AdminUser[] = [];

/** All users, by name. Only an administrator may list them: for others, and after a failure, `isListed` is false. */
export function useAllUsers() {
  const isAdmin = useUser()?.is_admin === true;
  const { data, error, isLoading } = userQueries.useUsersQuery(undefined, { skip: !isAdmin });
  const users = useMemo(() => data?.items.toSorted((a, b) => collator.compare(a.name, b.name)) ?? noUsers, [data]);
  return { users, isListed: isAdmin && !error, isLoading };
}

export function useOtherUsers() {
  const userId = useUser()?.id;
  const { users, ...rest } = useAllUsers();
  return { ...rest, users: users.filter(({ id }) => id !== userId) };
}
