import { type createGroup, deleteGroup, type editGroup, Group, listGroups } from '@vigie/contracts/groups';
import type { z } from 'zod';
import { api } from '../../app/api';

type Creation = { group: z.input<typeof createGroup.input>; idempotencyKey: string };

const pathOf = (id: string) => `/groups/${encodeURIComponent(id)}` as const;

/** Deleting or moving a group changes the lists that are filtered by group. */
const affectedTags = ['groups', 'sites', 'servers'] as const;

export const groupsApi = api.enhanceEndpoints({ addTagTypes: ['groups', 'sites', 'servers'] }).injectEndpoints({
  endpoints: (build) => ({
    groups: build.query<Group[], void>({
      query: () => ({ path: '/groups', output: listGroups.output }),
      providesTags: ['groups'],
    }),
    createGroup: build.mutation<Group, Creation>({
      query: ({ group, idempotencyKey }) => ({
        path: '/groups',
        method: 'POST',
        body: group,
        output: Group,
        idempotencyKey,
      }),
      invalidatesTags: ['groups'],
    }),
    editGroup: build.mutation<Group, z.input<typeof editGroup.input>>({
      query: ({ id, ...changes }) => ({ path: pathOf(id), method: 'PUT', body: changes, output: Group }),
      invalidatesTags: [...affectedTags],
    }),
    deleteGroup: build.mutation<object, string>({
      query: (id) => ({ path: pathOf(id), method: 'DELETE', output: deleteGroup.output }),
      invalidatesTags: [...affectedTags],
    }),
  }),
});
