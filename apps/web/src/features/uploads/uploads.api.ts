import { deleteUpload } from '@vigie/contracts/uploads';
import { uploadQueries } from '../../kit/fleet/uploads';
import { mutationOf } from '../../kit/query/endpoints';

export const uploadsApi = uploadQueries.injectEndpoints({
  endpoints: (build) => ({
    deleteUpload: build.mutation(mutationOf(deleteUpload, 'Échec de la suppression.')),
  }),
});
