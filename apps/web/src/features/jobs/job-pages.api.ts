import { callOf, type Fields } from '@vigie/contracts/calls';
import { type JobItem, listJobs } from '@vigie/contracts/jobs';
import { onSuccess } from '../../kit/query/endpoints';
import { jobsApi, jobListTag, reportEnds } from '../../kit/job/jobs.api';
import { endTracker } from '../../kit/job/outcomes';

type JobPagesQuery = { isFailed: boolean } | { batchId: string };

const perPage = 50;
/** A batch is read in larger pages, because it is usually read whole. */
const perBatchPage = 200;

const pageSize = (pages: JobPagesQuery) => ('batchId' in pages ? perBatchPage : perPage);

const fieldsOf = (pages: JobPagesQuery): Fields<typeof listJobs> => {
  if ('batchId' in pages) return { batch_id: pages.batchId };
  return pages.isFailed ? { state: 'failures' } : {};
};

export const pagesApi = jobsApi.injectEndpoints({
  endpoints: (build) => ({
    /** Each page starts after the last job of the previous one. A refetch reads all pages again. */
    jobPages: build.infiniteQuery<readonly JobItem[], JobPagesQuery, string | undefined>({
      infiniteQueryOptions: {
        initialPageParam: undefined,
        getNextPageParam: (page, _pages, _before, _befores, pages) =>
          page.length < pageSize(pages) ? undefined : page.at(-1)?.id,
      },
      query: ({ queryArg: pages, pageParam: before }) =>
        callOf(listJobs, { ...fieldsOf(pages), limit: pageSize(pages), before }),
      transformResponse: ({ items }: { items: JobItem[] }) => items,
      providesTags: ['jobs', jobListTag],
      onQueryStarted: (_, cycle) =>
        onSuccess(cycle, (data) => reportEnds(cycle.dispatch, endTracker.update(flattenPages(data)))),
    }),
  }),
});

/** Removes duplicates: a job that moves between two reads may be on two pages. */
export const flattenPages = ({ pages }: { pages: readonly (readonly JobItem[])[] }): JobItem[] => [
  ...new Map(pages.flat().map((job) => [job.id, job])).values(),
];
