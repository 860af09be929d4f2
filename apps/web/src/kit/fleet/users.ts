import { type AdminUser, listUsers, readMe } from '@vigie/contracts/users';
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

export const useIsAdmin = (): boolean => useUser()?.is_admin === true;

/** Administrators own what they see, or see all of it; clients are often shown the sites of somebody else. */
export const useIsClient = (): boolean => useUser()?.role === 'client';

export const nameOf = (user: AdminUser): string =>
  [user.first_name, user.last_name].filter(Boolean).join(' ') || user.email;
