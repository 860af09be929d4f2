import {
  type ActivityChoices,
  type ActivityItem,
  type ActivityKind,
  listActivity,
  listActivityChoices,
} from '@vigie/contracts/activity';
import { api } from '../../app/api';

export type ActivityQuery = {
  limit: number;
  kind: ActivityKind | undefined;
  person: string | undefined;
  siteId: string | undefined;
  /** Lists the lines of one batch; without it, each batch is one line. */
  run?: string;
};

function buildQuery({ limit, kind, person, siteId, run }: ActivityQuery): string {
  const params = {
    limit: String(limit),
    kind,
    actor_id: person,
    site_id: siteId,
    ...(run ? { batch_id: run } : { grouped: '1' }),
  };
  const entries = Object.entries(params).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return new URLSearchParams(entries).toString();
}

export const activityApi = api.enhanceEndpoints({ addTagTypes: ['activity'] }).injectEndpoints({
  endpoints: (build) => ({
    activity: build.query<{ items: ActivityItem[] }, ActivityQuery>({
      query: (activityQuery) => ({
        path: `/dashboard/activity?${buildQuery(activityQuery)}`,
        output: listActivity.output,
      }),
      providesTags: ['activity'],
    }),
    activityChoices: build.query<ActivityChoices, void>({
      query: () => ({ path: '/dashboard/activity/choices', output: listActivityChoices.output }),
      providesTags: ['activity'],
    }),
  }),
});
