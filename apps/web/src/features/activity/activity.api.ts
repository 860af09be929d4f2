import { listActivity, listActivityChoices } from '@vigie/contracts/activity';
import { api } from '../../kit/query/api';
import { type Fields, queryOf } from '../../kit/query/endpoints';

export type ActivityQuery = Fields<typeof listActivity> & { limit: number };

export const activityApi = api.injectEndpoints({
  endpoints: (build) => ({
    activity: build.query(queryOf(listActivity)),
    activityChoices: build.query(queryOf(listActivityChoices)),
  }),
});
