import {
  createMaintenanceWindow,
  deleteMaintenanceWindow,
  listMaintenanceWindows,
} from '@vigie/contracts/maintenance-windows';
import { api } from '../../kit/query/api';
import { creationOf, mutationOf, queryOf } from '../../kit/query/endpoints';
import { usePollInterval, whileVisible } from '../../kit/query/usePollInterval';

export const maintenanceApi = api.injectEndpoints({
  endpoints: (build) => ({
    maintenanceWindows: build.query(queryOf(listMaintenanceWindows)),
    createMaintenanceWindow: build.mutation(
      creationOf(createMaintenanceWindow, 'La maintenance n’a pas pu être enregistrée.'),
    ),
    deleteMaintenanceWindow: build.mutation(
      mutationOf(deleteMaintenanceWindow, 'La maintenance n’a pas pu être terminée.'),
    ),
  }),
});

/** What is in maintenance. */
export type Target = { kind: 'site' | 'group'; id: string; name: string };

export const targetFields = ({ kind, id }: Pick<Target, 'kind' | 'id'>) =>
  kind === 'site' ? { site_id: id } : { group_id: id };

const pollMs = 60_000;

export function useMaintenanceWindows(target: Pick<Target, 'kind' | 'id'>) {
  const params = { ...targetFields(target), limit: 500 };
  const pollingInterval = usePollInterval(maintenanceApi.endpoints.maintenanceWindows.useQueryState(params), pollMs);
  const options = { pollingInterval, refetchOnMountOrArgChange: true, ...whileVisible };
  return maintenanceApi.useMaintenanceWindowsQuery(params, options);
}
