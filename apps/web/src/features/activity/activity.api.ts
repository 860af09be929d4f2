import { type ActivityItem, listActivity } from '@vigie/contracts/activity';
import { api } from '../../app/api';

export const activityApi = api.enhanceEndpoints({ addTagTypes: ['activity'] }).injectEndpoints({
  endpoints: (build) => ({
    activity: build.query<{ items: ActivityItem[] }, number>({
      query: (limit) => ({ path: `/dashboard/activity?limit=${limit}`, output: listActivity.output }),
      providesTags: ['activity'],
    }),
  }),
});
