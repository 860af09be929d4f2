import { type Me, readMe } from '@vigie/contracts/users';
import { api } from '../../app/api';

export const usersApi = api.injectEndpoints({
  endpoints: (build) => ({
    me: build.query<Me, void>({ query: () => ({ path: '/auth/me', output: readMe.output }) }),
  }),
});
