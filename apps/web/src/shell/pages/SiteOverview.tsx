import { useNavigate } from '@tanstack/react-router';
import { CoreChanges } from '../../features/changes/CoreChanges';
import { WaitingUpdates } from '../../features/changes/WaitingUpdates';
import { OpenIncidents, PastIncidents } from '../../features/incidents/IncidentsOf';
import { SiteMaintenance } from '../../features/maintenance-windows/SiteMaintenance';
import { SiteChecksCard } from '../../features/site-check-rules/SiteChecksCard';
import { Overview } from '../../features/sites/Overview';
import type { TestSearch } from '../../features/sites/search';
import type { UptimeSearch } from '../../features/uptime/search';
import { UptimeCard } from '../../features/uptime/UptimeCard';
import { useLoadedSite } from '../../kit/fleet/sites';
import { changeSearch } from '../../kit/list/search-params';

/** What a site is, how it is, and what waits for somebody. */
export function SiteOverview({ id, search }: { id: string; search: TestSearch & UptimeSearch }) {
  const { site, readAt } = useLoadedSite(id);
  const navigate = useNavigate();
  const show = (change: UptimeSearch) => void navigate({ to: '.', ...changeSearch(change) });
  if (!site) return null;
  return (
    <>
      <OpenIncidents siteId={id} />
      <Overview
        key={id}
        site={site}
        search={search}
        core={<CoreChanges site={site} readAt={readAt} />}
        updates={<WaitingUpdates site={site} />}
        incidents={<PastIncidents siteId={id} />}
        uptime={<UptimeCard siteId={id} search={search} onChange={show} />}
        checks={
          <SiteChecksCard site={site}>
            <SiteMaintenance site={site} />
          </SiteChecksCard>
        }
      />
    </>
  );
}
