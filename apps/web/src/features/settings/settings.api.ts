import { AppSettings, Branding, type SaveAppSettings } from '@vigie/contracts/settings';
import { api } from '../../app/api';

export const settingsApi = api.enhanceEndpoints({ addTagTypes: ['two-factor'] }).injectEndpoints({
  endpoints: (build) => ({
    /** Public: the login page shows it too. */
    branding: build.query<Branding, void>({ query: () => ({ path: '/settings/app', output: Branding }) }),
    appSettings: build.query<AppSettings, void>({ query: () => ({ path: '/settings/app', output: AppSettings }) }),
    saveAppSettings: build.mutation<AppSettings, Partial<SaveAppSettings>>({
      query: (body) => ({ path: '/settings/app', method: 'POST', body, output: AppSettings }),
      // A new policy can make the second factor mandatory.
      invalidatesTags: ['two-factor'],
      onQueryStarted: (_, { dispatch, queryFulfilled }) => {
        queryFulfilled.then(
          ({ data }) => void dispatch(settingsApi.util.upsertQueryData('appSettings', undefined, data)),
          () => undefined,
        );
      },
    }),
  }),
});
