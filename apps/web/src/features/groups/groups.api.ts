import { createGroup, deleteGroup, editGroup, listGroups } from '@vigie/contracts/groups';
import { api } from '../../app/api';
import { creationOf, mutationOf, queryOf } from '../../app/endpoints';

export const groupsApi = api.injectEndpoints({
  endpoints: (build) => ({
    groups: build.query(queryOf(listGroups)),
    createGroup: build.mutation(creationOf(createGroup)),
    editGroup: build.mutation(mutationOf(editGroup)),
    deleteGroup: build.mutation(mutationOf(deleteGroup)),
  }),
});
