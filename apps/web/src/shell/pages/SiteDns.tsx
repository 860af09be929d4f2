import { SiteZone } from '../../features/dns/SiteZone';
import { useLoadedSite } from '../../kit/fleet/sites';

/** The DNS zone of a site. */
export function SiteDns({ id }: { id: string }) {
  const { site } = useLoadedSite(id);
  return site ? <SiteZone key={id} site={site} /> : null;
}
