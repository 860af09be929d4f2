import type { UnknownAction } from '@reduxjs/toolkit';
import { isFinal, Job, JobItem, listJobs } from '@vigie/contracts/jobs';
import { api } from '../../app/api';
import type { ApiError } from '../../app/api-error';
import type { Call } from '../../app/baseQuery';
import { endings, noteStarted, tellOutcome } from './outcomes';
import { StaleTags } from './StaleTags';

type Part = { limit: number; isOpen?: true };

export const newest = { limit: 50 };
/** A few lines where the newest are many: what is asked for every other second. */
export const underWay = { limit: 200, isOpen: true } as const;

/** An answer of as many lines may not be the whole log. */
const manyLines = 1_000;

const pathOf = (id: string) => `/jobs/${encodeURIComponent(id)}` as const;

/** The jobs themselves, without what others count of them. */
export const read = { type: 'jobs', id: 'read' } as const;

type Dispatch = (action: UnknownAction) => void;
let stale: StaleTags | undefined;

/** What was read before they ended is read again, and whoever began them hears of it. */
export function tellEnds(dispatch: Dispatch, ended: readonly JobItem[]): void {
  // Each feature names tags of its own: this one knows none of them.
  stale ??= new StaleTags((tags) => dispatch(api.util.invalidateTags([...tags] as never[])));
  stale.note(ended);
  for (const job of ended) tellOutcome(job);
}

export const jobsApi = api.enhanceEndpoints({ addTagTypes: ['jobs'] }).injectEndpoints({
  endpoints: (build) => ({
    /** Newest first. */
    jobs: build.query<readonly JobItem[], Part>({
      query: ({ limit, isOpen }) => ({
        path: `/jobs?${isOpen ? 'state=open&' : ''}limit=${limit}`,
        output: listJobs.output,
      }),
      transformResponse: ({ items }: { items: JobItem[] }) => items,
      providesTags: ['jobs', read],
      onQueryStarted: (part, { dispatch, queryFulfilled, ...store }) => {
        const before = [underWay, newest].flatMap((known) => openOf(known, store.getState()));
        const follow = ({ data }: { data: readonly JobItem[] }) => {
          const isOpen = 'isOpen' in part;
          tellEnds(dispatch, isOpen ? endings.see(data) : endings.seeAll(data));
          // What is not there any more is over: how, the others know.
          if (isOpen && before.some(({ id }) => data.every((job) => job.id !== id))) {
            dispatch(jobsApi.util.invalidateTags([read]));
          }
        };
        queryFulfilled.then(follow, () => undefined);
      },
    }),
    /** Whole: what is known of its log is not asked for again. */
    job: build.query<Job, string>({
      queryFn: (id, { getState }, _options, ask): Promise<Answer> => readOn(id, logOf(id, getState()), ask),
      providesTags: ['jobs', read],
      onQueryStarted: (_id, { dispatch, queryFulfilled }) => {
        queryFulfilled.then(
          ({ data }) => tellEnds(dispatch, endings.see([data])),
          () => undefined,
        );
      },
    }),
    cancelJob: build.mutation<JobItem, string>({
      query: (id) => ({ path: `${pathOf(id)}/cancel`, method: 'POST', output: JobItem }),
      invalidatesTags: ['jobs'],
    }),
    retryJob: build.mutation<JobItem, { id: string; idempotencyKey: string }>({
      query: ({ id, idempotencyKey }) => ({
        path: `${pathOf(id)}/retry`,
        method: 'POST',
        output: JobItem,
        idempotencyKey,
      }),
      invalidatesTags: ['jobs'],
      onQueryStarted: (_id, { queryFulfilled }) => {
        queryFulfilled.then(
          ({ data }) => noteStarted(data.id),
          () => undefined,
        );
      },
    }),
  }),
});

type Read = { data?: unknown; error?: ApiError | undefined };
type Ask = (call: Call) => PromiseLike<Read> | Read;
type Answer = { data: Job } | { error: ApiError };

/** As they were last read. */
const openOf = (part: Part, state: unknown): JobItem[] =>
  jobsApi.endpoints.jobs
    .select(part)(state as never)
    .data?.filter((job) => !isFinal(job.state)) ?? [];

const logOf = (id: string, state: unknown): Job['log'] => select(id)(state as never).data?.log ?? [];
const select = (id: string) => jobsApi.endpoints.job.select(id);

async function readOn(id: string, known: Job['log'], ask: Ask): Promise<Answer> {
  const log = [...known];
  for (;;) {
    const answer = await ask({ path: `${pathOf(id)}?after=${log.at(-1)?.seq ?? 0}`, output: Job });
    if (answer.error) return { error: answer.error };
    const job = answer.data as Job;
    log.push(...job.log);
    if (job.log.length < manyLines) return { data: { ...job, log } };
  }
}
