import { type ChangePassword, changePassword } from '@vigie/contracts/passwords';
import { api } from '../../app/api';

export const passwordsApi = api.enhanceEndpoints({ addTagTypes: ['sessions'] }).injectEndpoints({
  endpoints: (build) => ({
    changePassword: build.mutation<{ message: string }, ChangePassword>({
      query: (body) => ({ path: '/auth/change_password', method: 'POST', body, output: changePassword.output }),
      // A new password ends the other sessions.
      invalidatesTags: ['sessions'],
    }),
  }),
});
