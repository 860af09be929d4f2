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
type Question = Pick<UsersSearch, 'q' | 'role' | 'sort' | 'order'> & { limit: number; offset: number };

function queryOf({ limit, offset, ...search }: Question): string {
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
    users: build.query<Page, Question>({
      query: (question) => ({ path: `/admin/users?${queryOf(question)}`, output: listUsers.output }),
      providesTags: ['users'],
    }),
    /** For their names, in the admin mode. */
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
      // Where its line is, and whether it is still among those that are looked for, the server knows.
      invalidatesTags: (edited) => (edited ? ['me', 'users'] : ['me']),
      onQueryStarted: (_, cycle) => {
        const replace = ({ data: edited }: { data: AdminUser }) => {
          for (const asked of usersApi.util.selectCachedArgsForQuery(cycle.getState(), 'users')) {
            cycle.dispatch(
              usersApi.util.updateQueryData('users', asked, ({ items }) => {
                const at = items.findIndex(({ id }) => id === edited.id);
                if (at >= 0) items[at] = edited;
              }),
            );
          }
        };
        cycle.queryFulfilled.then(replace, () => undefined);
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
