import { lazyRouteComponent, useNavigate } from '@tanstack/react-router';
import { Suspense } from 'react';
import { type ArchiveSearch, closedArchive } from '../../features/backups/search';
import type { RepairsSearch } from '../../features/site-repairs/search';
import { changeSearch } from '../../kit/list/search-params';

const Repairs = lazyRouteComponent(() => import('../../features/site-repairs/RepairsPanel'), 'RepairsPanel');
const Archive = lazyRouteComponent(() => import('../../features/backups/ArchivePanel'), 'ArchivePanel');

type Search = RepairsSearch & ArchiveSearch;

/** The side panels of a site, opened by its address. */
export function SitePanels({ id, search }: { id: string; search: Search }) {
  const navigate = useNavigate();
  const show = (change: Partial<Search>) =>
    void navigate({
      to: '/sites/$siteId',
      params: { siteId: id },
      // Opening a folder adds a history entry; a letter of a search does not.
      ...changeSearch(change, { isStep: 'folder' in change && !('archive' in change) }),
    });
  return (
    // Without its own Suspense, a loading panel would replace the site too.
    <Suspense>
      {search.repairs && (
        <Repairs
          key={id}
          siteId={id}
          jobId={search.examined}
          onFollow={(jobId) => show({ examined: jobId })}
          onClose={() => show({ repairs: undefined, examined: undefined })}
        />
      )}
      {search.archive !== undefined && (
        <Archive
          key={`${id} ${search.archive}`}
          siteId={id}
          filename={search.archive}
          search={search}
          onChange={show}
          onClose={() => show(closedArchive)}
        />
      )}
    </Suspense>
  );
}
