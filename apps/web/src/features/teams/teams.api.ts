import { createTeam, deleteTeam, editTeam } from '@vigie/contracts/teams';
import { teamQueries } from '../../kit/fleet/teams';
import { creationOf, mutationOf } from '../../kit/query/endpoints';

export const teamsApi = teamQueries.injectEndpoints({
  endpoints: (build) => ({
    createTeam: build.mutation(creationOf(createTeam, 'Échec de création de l’équipe.')),
    editTeam: build.mutation(mutationOf(editTeam, 'Échec de la modification.')),
    deleteTeam: build.mutation(mutationOf(deleteTeam, 'Échec de la suppression.')),
  }),
});
