import type { UnknownAction } from '@reduxjs/toolkit';
import type { Fields } from '@vigie/contracts/calls';
import {
  acknowledgeIncident,
  commentIncident,
  type Incident,
  listIncidents,
  muteIncident,
  readIncident,
  resolveIncident,
} from '@vigie/contracts/incidents';
import { api } from '../../kit/query/api';
import { creationOf, mutationOf, onSuccess, queryOf } from '../../kit/query/endpoints';

export type IncidentsParams = Fields<typeof listIncidents>;

type Cycle = { queryFulfilled: PromiseLike<{ data: Incident }>; dispatch: (action: UnknownAction) => unknown };

/** Each action answers with the incident as it is now, which is shown before it is read again. */
const showsAnswer = {
  onQueryStarted: (_: unknown, cycle: Cycle) =>
    onSuccess(cycle, (incident) => {
      const show = incidentsApi.util.updateQueryData('incident', { id: incident.id }, () => incident);
      cycle.dispatch(show as unknown as UnknownAction);
    }),
};

export const incidentsApi = api.injectEndpoints({
  endpoints: (build) => ({
    incidents: build.query(queryOf(listIncidents)),
    incident: build.query(queryOf(readIncident)),
    acknowledgeIncident: build.mutation({
      ...mutationOf(acknowledgeIncident, 'Vigie n’a pas pu noter que vous vous en occupez.'),
      ...showsAnswer,
    }),
    muteIncident: build.mutation({
      ...mutationOf(muteIncident, 'La sourdine n’a pas pu être changée.'),
      ...showsAnswer,
    }),
    commentIncident: build.mutation({
      ...creationOf(commentIncident, 'Le commentaire n’a pas pu être enregistré.'),
      ...showsAnswer,
    }),
    resolveIncident: build.mutation({
      ...mutationOf(resolveIncident, 'L’incident n’a pas pu être clos.'),
      ...showsAnswer,
    }),
  }),
});
