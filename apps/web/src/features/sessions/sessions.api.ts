import { type ForgotPassword, forgotPassword, type ResetPassword, resetPassword } from '@vigie/contracts/passwords';
import {
  listSessions,
  type Login,
  login,
  type LoginResult,
  logout,
  type OpenSession,
  revokeSession,
} from '@vigie/contracts/sessions';
import type { z } from 'zod';
import { api } from '../../app/api';

type Message = { message: string };

export const sessionsApi = api.enhanceEndpoints({ addTagTypes: ['sessions'] }).injectEndpoints({
  endpoints: (build) => ({
    login: build.mutation<LoginResult, Login>({
      query: (body) => ({ path: '/auth/login', method: 'POST', body, output: login.output }),
    }),
    logout: build.mutation<object, void>({
      query: () => ({ path: '/auth/logout', method: 'POST', body: {}, output: logout.output }),
    }),
    openSessions: build.query<{ items: OpenSession[] }, void>({
      query: () => ({ path: '/auth/sessions', output: listSessions.output }),
      providesTags: ['sessions'],
    }),
    revokeSession: build.mutation<object, string>({
      query: (id) => ({ path: `/auth/sessions/${id}`, method: 'DELETE', output: revokeSession.output }),
      invalidatesTags: ['sessions'],
    }),
    forgotPassword: build.mutation<Message, z.infer<typeof ForgotPassword>>({
      query: (body) => ({ path: '/auth/forgot', method: 'POST', body, output: forgotPassword.output }),
    }),
    resetPassword: build.mutation<Message, ResetPassword>({
      query: (body) => ({ path: '/auth/reset', method: 'POST', body, output: resetPassword.output }),
    }),
  }),
});
