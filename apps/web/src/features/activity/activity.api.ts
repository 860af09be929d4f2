import { listActivity, listActivityChoices } from '@vigie/contracts/activity';
import type { Fields } from '@vigie/contracts/calls';
import { api } from '../../kit/query/api';
import { queryOf } from '../../kit/query/endpoints';

export type ActivityQuery = Fields<typeof listActivity> & { limit: number };

export const activityApi = api.injectEndpoints({
  endpoints: (build) => ({
    activity: build.query(queryOf(listActivity)),
    activityChoices: build.query(queryOf(listActivityChoices)),
  }),
});
