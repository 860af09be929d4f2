import { createGroup, deleteGroup, editGroup } from '@vigie/contracts/groups';
import { groupQueries } from '../../kit/fleet/groups';
import { creationOf, mutationOf } from '../../kit/query/endpoints';

export const groupsApi = groupQueries.injectEndpoints({
  endpoints: (build) => ({
    createGroup: build.mutation(creationOf(createGroup)),
    editGroup: build.mutation(mutationOf(editGroup)),
    deleteGroup: build.mutation(mutationOf(deleteGroup, 'Échec de la suppression.')),
  }),
});
