import { forgotPassword, resetPassword } from '@vigie/contracts/passwords';
import { listSessions, login, logout, revokeSession } from '@vigie/contracts/sessions';
import { api } from '../../kit/query/api';
import { mutationOf, queryOf } from '../../kit/query/endpoints';

export const sessionsApi = api.injectEndpoints({
  endpoints: (build) => ({
    login: build.mutation(mutationOf(login)),
    logout: build.mutation(mutationOf(logout)),
    openSessions: build.query(queryOf(listSessions)),
    revokeSession: build.mutation(mutationOf(revokeSession)),
    forgotPassword: build.mutation(mutationOf(forgotPassword)),
    resetPassword: build.mutation(mutationOf(resetPassword)),
  }),
});
