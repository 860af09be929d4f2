import type { UnknownAction } from '@reduxjs/toolkit';
import { isFinal, Job, JobItem, listJobs } from '@vigie/contracts/jobs';
import { api } from '../../app/api';
import type { ApiError } from '../../app/api-error';
import type { Call } from '../../app/baseQuery';
import { endings, noteStarted, tellOutcome } from './outcomes';
import { StaleTags } from './StaleTags';

type Part = { limit: number; isOpen?: true };

export const newest = { limit: 50 };
/** A short list, because it is polled every two seconds. */
export const underWay = { limit: 200, isOpen: true } as const;

/** A response with this many lines may not hold the whole log. */
const manyLines = 1_000;

const pathOf = (id: string) => `/jobs/${encodeURIComponent(id)}` as const;

/** Tags the lists of jobs, without the counts that other features show. */
export const read = { type: 'jobs', id: 'read' } as const;

type Dispatch = (action: UnknownAction) => void;
let stale: StaleTags | undefined;

/** Refetches the data that the ended jobs changed, and reports the jobs that were started in this tab. */
export function tellEnds(dispatch: Dispatch, ended: readonly JobItem[]): void {
  // The tags belong to other features, so this one cannot type them.
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
          // A job that left the list of open jobs has ended; the other lists hold its state.
          if (isOpen && before.some(({ id }) => data.every((job) => job.id !== id))) {
            dispatch(jobsApi.util.invalidateTags([read]));
          }
        };
        queryFulfilled.then(follow, () => undefined);
      },
    }),
    /** Reads only the log lines that are not cached yet. */
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
