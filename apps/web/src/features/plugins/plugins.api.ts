import { callOf, type Fields } from '@vigie/contracts/calls';
import { exportPlugins, readPlugins, readPluginSites, retryFailures } from '@vigie/contracts/plugins';
import { api } from '../../kit/query/api';
import { creationOf, mutationOf, onSuccess, queryOf } from '../../kit/query/endpoints';

export type PluginsParams = Omit<Fields<typeof readPlugins>, 'fresh' | 'limit' | 'offset'> & {
  limit: number;
  offset: number;
};

export const exportCall = (params: Fields<typeof exportPlugins>) => callOf(exportPlugins, params);

export const loadFailed = 'Impossible de charger les plugins.';

export const pluginsApi = api.injectEndpoints({
  endpoints: (build) => ({
    plugins: build.query(queryOf(readPlugins)),
    /** Starts a new scan of all sites; answers at once with the cached overview. */
    refreshPlugins: build.mutation({
      ...mutationOf(readPlugins, loadFailed),
      query: (params: PluginsParams) => callOf(readPlugins, { ...params, fresh: '1' }),
      onQueryStarted: (params, cycle) =>
        onSuccess(cycle, (data) => void cycle.dispatch(pluginsApi.util.upsertQueryData('plugins', params, data))),
    }),
    pluginSites: build.query(queryOf(readPluginSites)),
    retryFailures: build.mutation(creationOf(retryFailures, 'Les sites en échec n’ont pas pu être testés.')),
  }),
});
