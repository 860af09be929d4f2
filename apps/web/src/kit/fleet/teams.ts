import { listTeams } from '@vigie/contracts/teams';
import { api } from '../query/api';
import { queryOf } from '../query/endpoints';

/** The teams' feature adds its own calls. */
export const teamQueries = api.injectEndpoints({
  endpoints: (build) => ({ teams: build.query(queryOf(listTeams)) }),
});
