import { looksApi } from './sites.api';

/** The newest test of a site, where there was one. */
export function useLastTest(id: string): string | undefined {
  const { data } = looksApi.useSiteJobsQuery(id, { refetchOnMountOrArgChange: true });
  return data?.find(({ kind }) => kind === 'sites.test')?.id;
}
