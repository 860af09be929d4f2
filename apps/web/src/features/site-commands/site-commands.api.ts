import { planCommand, runCommand } from '@vigie/contracts/site-commands';
import { api } from '../../kit/query/api';
import { creationOf, queryOf } from '../../kit/query/endpoints';

export const siteCommandsApi = api.injectEndpoints({
  endpoints: (build) => ({
    planCommand: build.query({ ...queryOf(planCommand), keepUnusedDataFor: 0 }),
    runCommand: build.mutation(creationOf(runCommand, 'La commande n’a pas pu être lancée.')),
  }),
});
