import { createPasskey, deletePasskey, listPasskeys, offerPasskey, renamePasskey } from '@vigie/contracts/passkeys';
import { api } from '../../kit/query/api';
import { mutationOf, queryOf } from '../../kit/query/endpoints';

export const passkeysApi = api.injectEndpoints({
  endpoints: (build) => ({
    passkeys: build.query(queryOf(listPasskeys)),
    offerPasskey: build.mutation(mutationOf(offerPasskey, 'La clé d’accès n’a pas pu être préparée.')),
    createPasskey: build.mutation(
      mutationOf(createPasskey, 'La clé d’accès n’a pas pu être enregistrée. Vérifiez la liste avant de recommencer.'),
    ),
    renamePasskey: build.mutation(mutationOf(renamePasskey, 'La clé d’accès n’a pas pu être renommée.')),
    deletePasskey: build.mutation(mutationOf(deletePasskey, 'La clé d’accès n’a pas pu être supprimée.')),
  }),
});
