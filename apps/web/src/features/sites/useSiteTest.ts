import { SiteTest } from '@vigie/contracts/sites';
import { useDispatch } from 'react-redux';
import { useDiagnosis } from '../../app/diagnosis/useDiagnosis';
import type { store } from '../../app/store';
import { looksApi, sitesApi } from './sites.api';

/** The test of the site that is shown. */
export function useSiteTest(
  shown: { open?: string | undefined; test?: string | undefined },
  follow: (test: string) => void,
) {
  const dispatch = useDispatch<typeof store.dispatch>();
  const asking = looksApi.useTestSiteMutation();
  const trial = {
    asking,
    read: (result: unknown) => SiteTest.safeParse(result).data,
    ownerOf: (job: { site_id: string | null }) => job.site_id,
    spell: ({ version }: SiteTest) => `Connexion OK • WordPress ${version}`,
    after: () => void dispatch(sitesApi.util.invalidateTags(['sites'])),
  };
  return useDiagnosis<SiteTest>(shown, trial, follow);
}

export type SiteDiagnosis = ReturnType<typeof useSiteTest>;
