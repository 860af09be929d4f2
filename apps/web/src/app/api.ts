import { createApi } from '@reduxjs/toolkit/query/react';
import { baseQuery } from './baseQuery';

/** The only place of server state; each feature injects its own calls from `<feature>.api.ts`. */
export const api = createApi({ baseQuery, endpoints: () => ({}) });
