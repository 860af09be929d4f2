import type { UnknownAction } from '@reduxjs/toolkit';
import { callOf } from '@vigie/contracts/calls';
import {
  acknowledgeJobs,
  cancelJob,
  isFinal,
  type Job,
  type JobItem,
  listJobs,
  readJob,
  retryJob,
} from '@vigie/contracts/jobs';
import { api } from '../query/api';
import type { ApiError } from '../query/api-error';
import type { Call } from '../query/baseQuery';
import { creationOf, mutationOf, onSuccess } from '../query/endpoints';
import { endTracker, markStarted, reportOutcome } from './outcomes';
import { StaleTags } from './StaleTags';

type JobsQuery = { limit: number; isOpen?: true };

export const newestJobs = { limit: 50 };
/** A short list, because it is polled every two seconds. */
export const openJobs = { limit: 200, isOpen: true } as const;

/** A response with this many lines may not hold the whole log. */
const logPageSize = 1_000;

/** Tags the lists of jobs, without the counts that other features show. */
export const jobListTag = { type: 'jobs', id: 'read' } as const;

type Dispatch = (action: UnknownAction) => void;
let staleTags: StaleTags | undefined;

/** Refetches the data that the ended jobs changed, and reports the jobs that were started in this tab. */
export function reportEnds(dispatch: Dispatch, ended: readonly JobItem[]): void {
  staleTags ??= new StaleTags((tags) => dispatch(api.util.invalidateTags([...tags])));
  staleTags.add(ended);
  for (const job of ended) reportOutcome(job);
}

export const jobsApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** Newest first. */
    jobs: build.query<readonly JobItem[], JobsQuery>({
      query: ({ limit, isOpen }) => callOf(listJobs, { state: isOpen && 'open', limit }),
      transformResponse: ({ items }: { items: JobItem[] }) => items,
      providesTags: ['jobs', jobListTag],
      onQueryStarted: (jobsQuery, cycle) => {
        const { dispatch } = cycle;
        const before = [openJobs, newestJobs].flatMap((cached) => selectOpen(cached, cycle.getState()));
        onSuccess(cycle, (data) => {
          const isOpen = 'isOpen' in jobsQuery;
          reportEnds(dispatch, isOpen ? endTracker.update(data) : endTracker.updateNewest(data));
          // A job that left the list of open jobs has ended; the other lists hold its state.
          if (isOpen && before.some(({ id }) => data.every((job) => job.id !== id))) {
            dispatch(jobsApi.util.invalidateTags([jobListTag]));
          }
        });
      },
    }),
    /** Reads only the log lines that are not cached yet. */
    job: build.query<Job, string>({
      queryFn: (id, { getState }, _options, send): Promise<Answer> => readNewLog(id, selectLog(id, getState()), send),
      providesTags: ['jobs', jobListTag],
      onQueryStarted: (_, cycle) => onSuccess(cycle, (data) => reportEnds(cycle.dispatch, endTracker.update([data]))),
    }),
    cancelJob: build.mutation(mutationOf(cancelJob, 'La tâche n’a pas pu être annulée.')),
    cancelTest: build.mutation(mutationOf(cancelJob, 'Le test n’a pas pu être annulé.')),
    acknowledgeJobs: build.mutation(mutationOf(acknowledgeJobs, 'Les échecs n’ont pas pu être pris en compte.')),
    retryJob: build.mutation({
      ...creationOf(retryJob, 'La tâche n’a pas pu être relancée.'),
      onQueryStarted: (_, cycle) => onSuccess(cycle, ({ id }) => markStarted(id)),
    }),
  }),
});

type CallResult = { data?: unknown; error?: ApiError | undefined };
type SendCall = (call: Call) => PromiseLike<CallResult> | CallResult;
type Answer = { data: Job } | { error: ApiError };

const selectOpen = (jobsQuery: JobsQuery, state: unknown): JobItem[] =>
  jobsApi.endpoints.jobs
    .select(jobsQuery)(state as never)
    .data?.filter((job) => !isFinal(job.state)) ?? [];

const selectLog = (id: string, state: unknown): Job['log'] => selectJob(id)(state as never).data?.log ?? [];
const selectJob = (id: string) => jobsApi.endpoints.job.select(id);

async function readNewLog(id: string, cached: Job['log'], send: SendCall): Promise<Answer> {
  const log = [...cached];
  for (;;) {
    const answer = await send(callOf(readJob, { id, after: log.at(-1)?.seq ?? 0 }));
    if (answer.error) return { error: answer.error };
    const job = answer.data as Job;
    log.push(...job.log);
    if (job.log.length < logPageSize) return { data: { ...job, log } };
  }
}

/** More jobs than one site ever has open. */
const maxSiteJobs = 100;

type OnEnd = (ended: readonly JobItem[], siteId: string, dispatch: Dispatch) => void;
type Cycle = {
  getCacheEntry: () => { data?: readonly JobItem[] | undefined };
  queryFulfilled: PromiseLike<{ data: readonly JobItem[] }>;
  dispatch: Dispatch;
};

/** For `build.query`: the jobs of a site whose kind starts with the prefix, newest first. Tells which ended since the last read. */
export const siteJobsOf = (prefix: `${string}.`, onEnd: OnEnd) => ({
  query: (siteId: string) => callOf(listJobs, { site_id: siteId, limit: maxSiteJobs }),
  transformResponse: ({ items }: { items: JobItem[] }) => items.filter(({ kind }) => kind.startsWith(prefix)),
  onQueryStarted: (siteId: string, cycle: Cycle): void => {
    const before = cycle.getCacheEntry().data;
    const endedIds = new Set(before?.filter(({ state }) => isFinal(state)).map(({ id }) => id));
    onSuccess(cycle, (jobs) => {
      const ended = before ? jobs.filter(({ id, state }) => isFinal(state) && !endedIds.has(id)) : [];
      if (ended.length > 0) onEnd(ended, siteId, cycle.dispatch);
    });
  },
});
