import { SiteTest } from '@vigie/contracts/sites';
import { useDispatch } from 'react-redux';
import { useDiagnosis } from '../../kit/diagnosis/useDiagnosis';
import type { store } from '../../kit/store';
import { checksApi, sitesApi } from './sites.api';

/** Runs the connection test of the site on the screen. */
export function useSiteTest(
  search: { open?: string | undefined; test?: string | undefined },
  follow: (test: string) => void,
) {
  const dispatch = useDispatch<typeof store.dispatch>();
  const mutation = checksApi.useTestSiteMutation();
  const test = {
    mutation,
    read: (result: unknown) => SiteTest.safeParse(result).data,
    ownerOf: (job: { site_id: string | null }) => job.site_id,
    spell: ({ version }: SiteTest) => `Connexion OK • WordPress ${version}`,
    onEnd: () => void dispatch(sitesApi.util.invalidateTags(['sites'])),
  };
  return useDiagnosis<SiteTest>(search, test, follow);
}

export type SiteDiagnosis = ReturnType<typeof useSiteTest>;

/** The job of the latest test of a site. */
export function useLastTest(id: string): string | undefined {
  const { data } = checksApi.useSiteJobsQuery(id, { refetchOnMountOrArgChange: true });
  return data?.find(({ kind }) => kind === 'sites.test')?.id;
}
