import type { Fields, Received } from '@vigie/contracts/calls';
import { resetTwoFactor } from '@vigie/contracts/two-factor';
import { createUser, deleteUser, editUser, type listUsers } from '@vigie/contracts/users';
import { userQueries } from '../../kit/fleet/users';
import { creationOf, failedBy, mutationOf, onSuccess } from '../../kit/query/endpoints';
import { failureReason } from '../../kit/query/failures';

export type Page = Received<typeof listUsers>;

function editFailed({ password, role }: Fields<typeof editUser>): string {
  if (password !== undefined) return 'Réinitialisation impossible.';
  return role === undefined ? 'Mise à jour du profil impossible.' : 'Mise à jour du rôle impossible.';
}

export const usersApi = userQueries.injectEndpoints({
  endpoints: (build) => ({
    createUser: build.mutation(creationOf(createUser, 'Création impossible.')),
    editUser: build.mutation({
      ...mutationOf(editUser),
      ...failedBy((error, fields: Fields<typeof editUser>) => failureReason(error, editFailed(fields))),
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
    resetTwoFactor: build.mutation(mutationOf(resetTwoFactor, 'Réinitialisation impossible.')),
    deleteUser: build.mutation(mutationOf(deleteUser, 'Suppression impossible.')),
  }),
});
