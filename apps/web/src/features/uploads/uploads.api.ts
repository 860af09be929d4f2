import { deleteUpload, type listUploads } from '@vigie/contracts/uploads';
import { uploadQueries } from '../../kit/fleet/uploads';
import { mutationOf, type Received } from '../../kit/query/endpoints';

export type Page = Received<typeof listUploads>;

export const uploadsApi = uploadQueries.injectEndpoints({
  endpoints: (build) => ({
    deleteUpload: build.mutation(mutationOf(deleteUpload, 'Échec de la suppression.')),
  }),
});
