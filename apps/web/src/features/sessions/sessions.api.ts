import { forgotPassword, resetPassword } from '@vigie/contracts/passwords';
import { listSessions, login, logout, revokeSession } from '@vigie/contracts/sessions';
import { api } from '../../kit/query/api';
import { mutationOf, queryOf } from '../../kit/query/endpoints';
import { failureReason } from '../../kit/query/failures';

const requestFailed = 'Impossible de traiter la demande pour le moment.';
export const invalidLink = 'Ce lien n’est pas valide ou a expiré.';

export const sessionsApi = api.injectEndpoints({
  endpoints: (build) => ({
    login: build.mutation(mutationOf(login)),
    logout: build.mutation(mutationOf(logout)),
    openSessions: build.query(queryOf(listSessions)),
    revokeSession: build.mutation(mutationOf(revokeSession)),
    forgotPassword: build.mutation(mutationOf(forgotPassword, requestFailed)),
    resetPassword: build.mutation(
      mutationOf(resetPassword, (error) =>
        failureReason(error, error.status === 400 ? invalidLink : 'Erreur de connexion'),
      ),
    ),
  }),
});
