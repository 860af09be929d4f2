import { createGroup, deleteGroup, editGroup } from '@vigie/contracts/groups';
import { groupQueries } from '../../kit/fleet/groups';
import { creationOf, mutationOf } from '../../kit/query/endpoints';

export const groupsApi = groupQueries.injectEndpoints({
  endpoints: (build) => ({
    createGroup: build.mutation(creationOf(createGroup, 'Échec de création du groupe.')),
    editGroup: build.mutation(mutationOf(editGroup, 'Échec de la modification.')),
    deleteGroup: build.mutation(mutationOf(deleteGroup, 'Échec de la suppression.')),
  }),
});
