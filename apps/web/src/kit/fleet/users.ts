import { type AdminUser, listUsers, readMe } from '@vigie/contracts/users';
import { api } from '../query/api';
import { queryOf } from '../query/endpoints';
import { sharedLabel } from './roles';

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

type Possession = { owner_id?: string | undefined; shared_by?: string | null };

/** "à Anne Martin" for an item of somebody else in admin mode, "Partagé par Anne Martin" for one that they share. */
export function useOwnerLabel({ owner_id: id, ...item }: Possession): string | undefined {
  const userId = useUser()?.id;
  const isOwn = id === undefined || userId === undefined || id === userId;
  const { data } = userQueries.useUsersQuery(undefined, { skip: isOwn });
  const owner = isOwn ? undefined : data?.items.find((user) => user.id === id);
  return owner ? `à ${nameOf(owner)}` : sharedLabel(item);
}
