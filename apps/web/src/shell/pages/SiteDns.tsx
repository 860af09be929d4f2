import { Globe } from 'lucide-react';
import { SiteZone } from '../../features/dns/SiteZone';
import { isOwn } from '../../kit/fleet/roles';
import { useLoadedSite } from '../../kit/fleet/sites';
import { Card } from '../../ui/Card';
import { EmptyState } from '../../ui/EmptyState';

/** An address of the tab, which nobody but the owner is shown. */
const OwnerOnly = () => (
  <Card>
    <EmptyState icon={Globe} title="La zone DNS de ce site est à son propriétaire." />
  </Card>
);

/** The DNS zone of a site. */
export function SiteDns({ id }: { id: string }) {
  const { site } = useLoadedSite(id);
  if (!site) return null;
  return isOwn(site) ? <SiteZone key={id} site={site} /> : <OwnerOnly />;
}
