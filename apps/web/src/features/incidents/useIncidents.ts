import { useListQuery } from '../../kit/list/useListQuery';
import { usePollInterval, whileVisible } from '../../kit/query/usePollInterval';
import { type IncidentsParams, incidentsApi } from './incidents.api';
import type { IncidentsSearch } from './search';

const pollMs = 30_000;
export const pageSize = 50;

const { incidents, incident } = incidentsApi.endpoints;

/** Reads a list of incidents again and again. */
export function useIncidentsQuery(params: IncidentsParams, everyMs = pollMs) {
  const pollingInterval = usePollInterval(incidents.useQueryState(params), everyMs);
  return incidentsApi.useIncidentsQuery(params, { pollingInterval, refetchOnMountOrArgChange: true, ...whileVisible });
}

/** The incidents that the address asks for. */
export function useIncidents({ state, site, server, page = 1 }: IncidentsSearch) {
  const answer = useIncidentsQuery({
    state: state === 'all' ? undefined : (state ?? 'open'),
    site_id: site,
    server_id: server,
    limit: pageSize,
    offset: (page - 1) * pageSize,
  });
  return useListQuery(answer, 'Impossible de charger les incidents.');
}

export function useIncident(id: string) {
  const pollingInterval = usePollInterval(incident.useQueryState({ id }), pollMs);
  return incidentsApi.useIncidentQuery({ id }, { pollingInterval, refetchOnMountOrArgChange: true, ...whileVisible });
}
