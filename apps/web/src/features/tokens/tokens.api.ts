import { createToken, deleteToken, listTokens } from '@vigie/contracts/tokens';
import { api } from '../../kit/query/api';
import { creationOf, mutationOf, queryOf } from '../../kit/query/endpoints';

export const tokensApi = api.injectEndpoints({
  endpoints: (build) => ({
    tokens: build.query(queryOf(listTokens)),
    createToken: build.mutation(creationOf(createToken, 'Le jeton n’a pas pu être créé.')),
    deleteToken: build.mutation(mutationOf(deleteToken, 'Le jeton n’a pas pu être révoqué.')),
  }),
});
