import type { Fields } from '@vigie/contracts/calls';
import { listUploads } from '@vigie/contracts/uploads';
import { api } from '../query/api';
import { queryOf } from '../query/endpoints';

export type UploadsParams = Fields<typeof listUploads> & { limit: number };

/** The uploads' feature adds its own calls. */
export const uploadQueries = api.injectEndpoints({
  endpoints: (build) => ({ uploads: build.query(queryOf(listUploads)) }),
});

/** The archives that can be installed, newest first. */
export const useUploads = (question: UploadsParams) =>
  uploadQueries.useUploadsQuery(question, { refetchOnMountOrArgChange: true });
