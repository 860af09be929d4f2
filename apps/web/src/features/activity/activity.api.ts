import {
  type ActivityChoices,
  type ActivityItem,
  type ActivityKind,
  listActivity,
  listActivityChoices,
} from '@vigie/contracts/activity';
import { api } from '../../app/api';

export type Question = {
  limit: number;
  kind: ActivityKind | undefined;
  person: string | undefined;
  site: string | undefined;
  /** Lists the lines of one batch; without it, each batch is one line. */
  run?: string;
};

function queryOf({ limit, kind, person, site, run }: Question): string {
  const asked = {
    limit: String(limit),
    kind,
    actor_id: person,
    site_id: site,
    ...(run ? { batch_id: run } : { grouped: '1' }),
  };
  const named = Object.entries(asked).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return new URLSearchParams(named).toString();
}

export const activityApi = api.enhanceEndpoints({ addTagTypes: ['activity'] }).injectEndpoints({
  endpoints: (build) => ({
    activity: build.query<{ items: ActivityItem[] }, Question>({
      query: (question) => ({ path: `/dashboard/activity?${queryOf(question)}`, output: listActivity.output }),
      providesTags: ['activity'],
    }),
    activityChoices: build.query<ActivityChoices, void>({
      query: () => ({ path: '/dashboard/activity/choices', output: listActivityChoices.output }),
      providesTags: ['activity'],
    }),
  }),
});
