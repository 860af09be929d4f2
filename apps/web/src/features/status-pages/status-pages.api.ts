import {
  deleteStatusPage,
  readStatusPage,
  renewStatusPage,
  saveStatusPage,
  viewStatusPage,
} from '@vigie/contracts/status-pages';
import { api } from '../../kit/query/api';
import { mutationOf, queryOf } from '../../kit/query/endpoints';

export const statusPagesApi = api.injectEndpoints({
  endpoints: (build) => ({
    statusPage: build.query(queryOf(readStatusPage)),
    saveStatusPage: build.mutation(mutationOf(saveStatusPage, 'La page n’a pas pu être enregistrée.')),
    renewStatusPage: build.mutation(mutationOf(renewStatusPage, 'Le nouveau lien n’a pas pu être créé.')),
    deleteStatusPage: build.mutation(mutationOf(deleteStatusPage, 'La page n’a pas pu être retirée.')),
    publicStatus: build.query(queryOf(viewStatusPage)),
  }),
});
