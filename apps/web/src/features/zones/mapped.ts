import { zonesApi } from './zones.api';

/** The link of a site, as far as it is known. */
export function useMappedSite(site: string | null) {
  return zonesApi.useSiteZonesQuery(undefined, {
    skip: site === null,
    selectFromResult: ({ data }) => ({ link: data?.find(({ site_id: id }) => id === site) }),
  }).link;
}
