import { deleteUpload, listUploads } from '@vigie/contracts/uploads';
import { api } from '../../app/api';
import { type Fields, mutationOf, queryOf, type Received } from '../../app/endpoints';

export type Page = Received<typeof listUploads>;
export type UploadsParams = Fields<typeof listUploads> & { limit: number };

export const uploadsApi = api.injectEndpoints({
  endpoints: (build) => ({
    uploads: build.query(queryOf(listUploads)),
    deleteUpload: build.mutation(mutationOf(deleteUpload)),
  }),
});
