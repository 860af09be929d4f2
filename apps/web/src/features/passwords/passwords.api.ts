import { changePassword } from '@vigie/contracts/passwords';
import { api } from '../../kit/query/api';
import { mutationOf } from '../../kit/query/endpoints';

export const passwordsApi = api.injectEndpoints({
  endpoints: (build) => ({
    changePassword: build.mutation(mutationOf(changePassword, 'Échec du changement de mot de passe')),
  }),
});
