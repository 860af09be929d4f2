import { useNavigate } from '@tanstack/react-router';
import { Extensions } from '../../features/changes/Extensions';
import type { ItemsSearch } from '../../features/changes/search';
import { NotRead } from '../../features/sites/NotRead';
import { useLoadedSite } from '../../kit/fleet/sites';
import { changeSearch } from '../../kit/list/search-params';

/** The plugins and themes of a site. */
export function SiteItems({ id, search }: { id: string; search: ItemsSearch }) {
  const { site, readAt } = useLoadedSite(id);
  const navigate = useNavigate();
  const show = (change: Partial<ItemsSearch>) =>
    void navigate({ to: '/sites/$siteId/plugins', params: { siteId: id }, ...changeSearch(change) });
  if (!site?.facts) return <NotRead />;
  return <Extensions key={id} site={site} readAt={readAt} search={search} onChange={show} />;
}
