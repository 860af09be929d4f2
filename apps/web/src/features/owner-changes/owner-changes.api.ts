import { changeOwner, changeOwnerOfSites, type OwnedKind, planOwner } from '@vigie/contracts/owner-changes';
import { api } from '../../kit/query/api';
import { creationOf, mutationOf, queryOf } from '../../kit/query/endpoints';

const failed = 'Le propriétaire n’a pas pu être changé.';

export const ownerChangesApi = api.injectEndpoints({
  endpoints: (build) => ({
    planOwner: build.query({ ...queryOf(planOwner), keepUnusedDataFor: 0 }),
    changeOwner: build.mutation(mutationOf(changeOwner, failed)),
    changeOwnerOfSites: build.mutation(creationOf(changeOwnerOfSites, failed)),
  }),
});

/** What is given to another owner: chosen sites, or one thing by its name, whose owner is the user unless named. */
export type Target = { kind: OwnedKind; ids: readonly string[]; name?: string; ownerId?: string | undefined };
