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
import { api } from '../../app/api';

type Creation = { user: CreateUser; idempotencyKey: string };
type Users = { items: AdminUser[] };

export const usersApi = api.enhanceEndpoints({ addTagTypes: ['me', 'users'] }).injectEndpoints({
  endpoints: (build) => ({
    me: build.query<Me, void>({
      query: () => ({ path: '/auth/me', output: readMe.output }),
      providesTags: ['me'],
    }),
    users: build.query<Users, void>({
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
      invalidatesTags: ['me'],
      onQueryStarted: (_, { dispatch, queryFulfilled }) => {
        const replace = ({ data: edited }: { data: AdminUser }) =>
          dispatch(
            usersApi.util.updateQueryData('users', undefined, ({ items }) => {
              const at = items.findIndex(({ id }) => id === edited.id);
              if (at >= 0) items[at] = edited;
            }),
          );
        queryFulfilled.then(replace, () => undefined);
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
