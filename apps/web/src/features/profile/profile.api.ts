import type { z } from 'zod';
import { type ChangePassword, changePassword } from '@vigie/contracts/passwords';
import { listSessions, type OpenSession, revokeSession } from '@vigie/contracts/sessions';
import { disableTwoFactor, readTwoFactor, type TwoFactorStatus } from '@vigie/contracts/two-factor';
import { api } from '../../app/api';

export const profileApi = api.enhanceEndpoints({ addTagTypes: ['two-factor', 'sessions'] }).injectEndpoints({
  endpoints: (build) => ({
    profileTwoFactor: build.query<TwoFactorStatus, void>({
      query: () => ({ path: '/auth/2fa/status', output: readTwoFactor.output }),
      providesTags: ['two-factor'],
    }),
    profileDisableTwoFactor: build.mutation<{ message: string }, { password: string }>({
      query: (body) => ({ path: '/auth/2fa/disable', method: 'POST', body, output: disableTwoFactor.output }),
      invalidatesTags: (done) => (done ? ['two-factor'] : []),
    }),
    changePassword: build.mutation<{ message: string }, z.infer<typeof ChangePassword>>({
      query: (body) => ({ path: '/auth/change_password', method: 'POST', body, output: changePassword.output }),
      invalidatesTags: (done) => (done ? ['sessions'] : []),
    }),
    openSessions: build.query<{ items: OpenSession[] }, void>({
      query: () => ({ path: '/auth/sessions', output: listSessions.output }),
      providesTags: ['sessions'],
    }),
    revokeSession: build.mutation<object, string>({
      query: (id) => ({ path: `/auth/sessions/${id}`, method: 'DELETE', output: revokeSession.output }),
      invalidatesTags: ['sessions'],
    }),
  }),
});
