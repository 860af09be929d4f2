import { type Login, login, type LoginResult, logout } from '@vigie/contracts/sessions';
import { api } from '../../app/api';

export const sessionsApi = api.injectEndpoints({
  endpoints: (build) => ({
    login: build.mutation<LoginResult, Login>({
      query: (body) => ({ path: '/auth/login', method: 'POST', body, output: login.output }),
    }),
    logout: build.mutation<object, void>({
      query: () => ({ path: '/auth/logout', method: 'POST', body: {}, output: logout.output }),
    }),
  }),
});
