import { useNavigate } from '@tanstack/react-router';
import { ActivityList } from '../../features/activity/ActivityList';
import type { ActivitySearch } from '../../features/activity/search';
import { changeSearch } from '../../kit/list/search-params';

/** What was done to a site, the newest first. */
export function SiteJournal({ id, search }: { id: string; search: Omit<ActivitySearch, 'site'> }) {
  const navigate = useNavigate();
  const show = (change: Omit<ActivitySearch, 'site'>) =>
    void navigate({ to: '/sites/$siteId/journal', params: { siteId: id }, ...changeSearch(change) });
  return <ActivityList title="Journal" siteId={id} search={search} onChange={show} />;
}
