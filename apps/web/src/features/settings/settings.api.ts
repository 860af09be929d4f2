import { callOf } from '@vigie/contracts/calls';
import { Branding, readAppSettings, saveAppSettings } from '@vigie/contracts/settings';
import { api } from '../../kit/query/api';
import { mutationOf, onSuccess, queryOf } from '../../kit/query/endpoints';

export const settingsApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** Public: the login page shows it too. */
    branding: build.query<Branding, void>({ query: () => ({ ...callOf(readAppSettings, {}), output: Branding }) }),
    appSettings: build.query(queryOf(readAppSettings)),
    saveAppSettings: build.mutation({
      ...mutationOf(saveAppSettings, "Échec de l'enregistrement."),
      onQueryStarted: (_, cycle) =>
        onSuccess(
          cycle,
          (data) => void cycle.dispatch(settingsApi.util.upsertQueryData('appSettings', undefined, data)),
        ),
    }),
  }),
});
