import { changePassword } from '@vigie/contracts/passwords';
import { api } from '../../app/api';
import { mutationOf } from '../../app/endpoints';

export const passwordsApi = api.injectEndpoints({
  endpoints: (build) => ({ changePassword: build.mutation(mutationOf(changePassword)) }),
});
