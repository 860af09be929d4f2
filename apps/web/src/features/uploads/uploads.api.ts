import { deleteUpload, listUploads, type Upload } from '@vigie/contracts/uploads';
import type { z } from 'zod';
import { api } from '../../app/api';

export type Page = { items: Upload[]; total: number };
export type UploadsParams = z.input<typeof listUploads.input> & { limit: number };

const UploadItems = listUploads.output.shape.items;

export const pathOf = (kind: Upload['type']) => `/uploads/${kind}s` as const;

function queryOf({ limit, offset = 0, q, type: kind, slug }: UploadsParams): string {
  const query = new URLSearchParams({ limit: String(limit), offset: String(offset) });
  if (q) query.set('q', q);
  if (kind) query.set('type', kind);
  if (slug) query.set('slug', slug);
  return query.toString();
}

export const uploadsApi = api.enhanceEndpoints({ addTagTypes: ['uploads'] }).injectEndpoints({
  endpoints: (build) => ({
    uploads: build.query<Page, UploadsParams>({
      query: (params) => ({ path: `/uploads?${queryOf(params)}`, output: UploadItems }),
      transformResponse: (items: Upload[], meta) => ({ items, total: meta?.total ?? items.length }),
      providesTags: ['uploads'],
    }),
    deleteUpload: build.mutation<object, Upload>({
      query: ({ id, type: kind, filename }) => ({
        path: `${pathOf(kind)}/${encodeURIComponent(filename)}?id=${id}`,
        method: 'DELETE',
        output: deleteUpload.output,
      }),
      invalidatesTags: ['uploads'],
    }),
  }),
});
