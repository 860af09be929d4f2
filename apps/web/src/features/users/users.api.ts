import { resetTwoFactor } from '@vigie/contracts/two-factor';
import {
  AdminUser,
  type CreateUser,
  deleteUser,
  type EditUser,
  listUsers,
  type Me,
  readMe,
} from '@vigie/contracts/users';
import type { z } from 'zod';
import { api } from '../../app/api';
import type { UsersSearch } from './search';

type Creation = { user: CreateUser; idempotencyKey: string };
export type Page = z.output<typeof listUsers.output>;
type UsersParams = Pick<UsersSearch, 'q' | 'role' | 'sort' | 'order'> & { limit: number; offset: number };

function queryOf({ limit, offset, ...search }: UsersParams): string {
  const query = new URLSearchParams({ limit: String(limit), offset: String(offset) });
  for (const [name, value] of Object.entries(search)) if (value) query.set(name, value);
  return query.toString();
}

export const usersApi = api.enhanceEndpoints({ addTagTypes: ['me', 'users'] }).injectEndpoints({
  endpoints: (build) => ({
    me: build.query<Me, void>({
      query: () => ({ path: '/auth/me', output: readMe.output }),
      providesTags: ['me'],
    }),
    users: build.query<Page, UsersParams>({
      query: (params) => ({ path: `/admin/users?${queryOf(params)}`, output: listUsers.output }),
      providesTags: ['users'],
    }),
    /** Names the owners in admin mode. */
    everybody: build.query<Page, void>({
      query: () => ({ path: '/admin/users', output: listUsers.output }),
      providesTags: ['users'],
    }),
    createUser: build.mutation<AdminUser, Creation>({
      query: ({ user, idempotencyKey }) => ({
        path: '/admin/users',
        method: 'POST',
        body: user,
        output: AdminUser,
        idempotencyKey,
      }),
      invalidatesTags: ['users'],
    }),
    editUser: build.mutation<AdminUser, EditUser>({
      query: ({ id, ...changes }) => ({ path: `/admin/users/${id}`, method: 'PUT', body: changes, output: AdminUser }),
      // Only the server knows whether the user still matches the filters, and in which position.
      invalidatesTags: (edited) => (edited ? ['me', 'users'] : ['me']),
      onQueryStarted: (_, cycle) => {
        const replaceInLists = ({ data: edited }: { data: AdminUser }) => {
          for (const params of usersApi.util.selectCachedArgsForQuery(cycle.getState(), 'users')) {
            cycle.dispatch(
              usersApi.util.updateQueryData('users', params, ({ items }) => {
                const index = items.findIndex(({ id }) => id === edited.id);
                if (index >= 0) items[index] = edited;
              }),
            );
          }
        };
        cycle.queryFulfilled.then(replaceInLists, () => undefined);
      },
    }),
    resetTwoFactor: build.mutation<object, string>({
      query: (id) => ({ path: `/admin/users/${id}/2fa`, method: 'DELETE', output: resetTwoFactor.output }),
      invalidatesTags: ['users'],
    }),
    deleteUser: build.mutation<object, string>({
      query: (id) => ({ path: `/admin/users/${id}`, method: 'DELETE', output: deleteUser.output }),
      invalidatesTags: ['users'],
    }),
  }),
});
