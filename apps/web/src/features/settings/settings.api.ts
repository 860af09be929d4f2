import { AppSettings, Branding, type SaveAppSettings } from '@vigie/contracts/settings';
import { api } from '../../app/api';

export const settingsApi = api.enhanceEndpoints({ addTagTypes: ['two-factor'] }).injectEndpoints({
  endpoints: (build) => ({
    /** What everybody may know, before the login too. */
    branding: build.query<Branding, void>({ query: () => ({ path: '/settings/app', output: Branding }) }),
    appSettings: build.query<AppSettings, void>({ query: () => ({ path: '/settings/app', output: AppSettings }) }),
    saveAppSettings: build.mutation<AppSettings, Partial<SaveAppSettings>>({
      query: (body) => ({ path: '/settings/app', method: 'POST', body, output: AppSettings }),
      // The policy may ask for a second factor that was a choice before.
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
