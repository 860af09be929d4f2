import { CoreChanges } from '../../features/changes/CoreChanges';
import { WaitingUpdates } from '../../features/changes/WaitingUpdates';
import { Overview } from '../../features/sites/Overview';
import type { TestSearch } from '../../features/sites/search';
import { useLoadedSite } from '../../kit/fleet/sites';

/** What a site is, how it is, and what waits for somebody. */
export function SiteOverview({ id, search }: { id: string; search: TestSearch }) {
  const { site, readAt } = useLoadedSite(id);
  if (!site) return null;
  return (
    <Overview
      key={id}
      site={site}
      search={search}
      core={<CoreChanges site={site} readAt={readAt} />}
      updates={<WaitingUpdates site={site} />}
    />
  );
}
