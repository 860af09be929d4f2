import { api } from '../../kit/query/api';
import type { Call } from '../../kit/query/baseQuery';
import { ApiDocument } from './api-document';

export const documentCall: Call = { path: '/openapi.json', output: ApiDocument };

export const apiReferenceApi = api.injectEndpoints({
  endpoints: (build) => ({
    // Only another release of Vigie changes it.
    apiDocument: build.query<ApiDocument, void>({ query: () => documentCall, keepUnusedDataFor: 3600 }),
  }),
});
