import { type JobItem, listJobs } from '@vigie/contracts/jobs';
import { jobsApi, jobListTag, reportEnds } from './jobs.api';
import { endTracker } from './outcomes';

type JobPagesQuery = { isFailed: boolean } | { batchId: string };

const perPage = 50;
/** A batch is read in larger pages, because it is usually read whole. */
const perBatchPage = 200;

const pageSize = (pages: JobPagesQuery) => ('batchId' in pages ? perBatchPage : perPage);

function pagePath(pages: JobPagesQuery, before: string | undefined): `/jobs?${string}` {
  const query = new URLSearchParams({ limit: String(pageSize(pages)) });
  if ('batchId' in pages) query.set('batch_id', pages.batchId);
  else if (pages.isFailed) query.set('state', 'failures');
  if (before !== undefined) query.set('before', before);
  return `/jobs?${query.toString()}`;
}

export const pagesApi = jobsApi.injectEndpoints({
  endpoints: (build) => ({
    /** Each page starts after the last job of the previous one. A refetch reads all pages again. */
    jobPages: build.infiniteQuery<readonly JobItem[], JobPagesQuery, string | undefined>({
      infiniteQueryOptions: {
        initialPageParam: undefined,
        getNextPageParam: (page, _pages, _before, _befores, pages) =>
          page.length < pageSize(pages) ? undefined : page.at(-1)?.id,
      },
      query: ({ queryArg: pages, pageParam: before }) => ({ path: pagePath(pages, before), output: listJobs.output }),
      transformResponse: ({ items }: { items: JobItem[] }) => items,
      providesTags: ['jobs', jobListTag],
      onQueryStarted: (_pages, { dispatch, queryFulfilled }) => {
        queryFulfilled.then(
          ({ data }) => reportEnds(dispatch, endTracker.update(flattenPages(data))),
          () => undefined,
        );
      },
    }),
  }),
});

/** Removes duplicates: a job that moves between two reads may be on two pages. */
export const flattenPages = ({ pages }: { pages: readonly (readonly JobItem[])[] }): JobItem[] => [
  ...new Map(pages.flat().map((job) => [job.id, job])).values(),
];
