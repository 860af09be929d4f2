import { createApi } from '@reduxjs/toolkit/query/react';
import { topics } from '@vigie/contracts/routes';
import { baseQuery } from './baseQuery';

/** All server state lives here; each feature injects its own calls from `<feature>.api.ts`. */
export const api = createApi({ baseQuery, tagTypes: topics, endpoints: () => ({}) });
