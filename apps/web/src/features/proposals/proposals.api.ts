import { confirmProposal, listProposals, readProposal, rejectProposal } from '@vigie/contracts/proposals';
import { api } from '../../kit/query/api';
import { mutationOf, queryOf } from '../../kit/query/endpoints';

export const proposalsApi = api.injectEndpoints({
  endpoints: (build) => ({
    proposals: build.query(queryOf(listProposals)),
    proposal: build.query(queryOf(readProposal)),
    confirmProposal: build.mutation(mutationOf(confirmProposal, 'La proposition n’a pas pu être exécutée.')),
    rejectProposal: build.mutation(mutationOf(rejectProposal, 'La proposition n’a pas pu être refusée.')),
  }),
});
