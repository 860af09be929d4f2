import { deleteUpload, Upload } from '@vigie/contracts/uploads';
import { z } from 'zod';
import { api } from '../../app/api';

/** Of its type, as an address says it. */
export const pathOf = (type: Upload['type']) => `/uploads/${type}s` as const;

export const uploadsApi = api.enhanceEndpoints({ addTagTypes: ['uploads'] }).injectEndpoints({
  endpoints: (build) => ({
    uploads: build.query<Upload[], void>({
      query: () => ({ path: '/uploads', output: z.array(Upload) }),
      providesTags: ['uploads'],
    }),
    deleteUpload: build.mutation<object, Upload>({
      query: ({ id, type, filename }) => ({
        path: `${pathOf(type)}/${encodeURIComponent(filename)}?id=${id}`,
        method: 'DELETE',
        output: deleteUpload.output,
      }),
      invalidatesTags: ['uploads'],
    }),
  }),
});
