import { checksApi } from './sites.api';

/** The job of the latest test of a site. */
export function useLastTest(id: string): string | undefined {
  const { data } = checksApi.useSiteJobsQuery(id, { refetchOnMountOrArgChange: true });
  return data?.find(({ kind }) => kind === 'sites.test')?.id;
}
