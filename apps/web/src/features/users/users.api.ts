import { resetTwoFactor } from '@vigie/contracts/two-factor';
import { createUser, deleteUser, editUser, listUsers, readMe } from '@vigie/contracts/users';
import { api } from '../../app/api';
import { creationOf, mutationOf, onSuccess, queryOf, type Received } from '../../app/endpoints';

export type Page = Received<typeof listUsers>;

export const usersApi = api.injectEndpoints({
  endpoints: (build) => ({
    me: build.query(queryOf(readMe)),
    users: build.query(queryOf(listUsers)),
    createUser: build.mutation(creationOf(createUser)),
    editUser: build.mutation({
      ...mutationOf(editUser),
      // Only the server knows whether the user still matches the filters, and in which position.
      invalidatesTags: (edited) => (edited ? editUser.changes : ['me']),
      onQueryStarted: (_, cycle) =>
        onSuccess(cycle, (edited) => {
          for (const params of usersApi.util.selectCachedArgsForQuery(cycle.getState(), 'users')) {
            cycle.dispatch(
              usersApi.util.updateQueryData('users', params, ({ items }) => {
                const index = items.findIndex(({ id }) => id === edited.id);
                if (index >= 0) items[index] = edited;
              }),
            );
          }
        }),
    }),
    resetTwoFactor: build.mutation(mutationOf(resetTwoFactor)),
    deleteUser: build.mutation(mutationOf(deleteUser)),
  }),
});
