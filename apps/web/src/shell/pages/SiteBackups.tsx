import { listArchive } from '@vigie/contracts/backups';
import { lazyRouteComponent, useNavigate } from '@tanstack/react-router';
import { Suspense } from 'react';
import { BackupsSection } from '../../features/backups/BackupsSection';
import { type ArchiveSearch, closedArchive } from '../../features/backups/search';
import { allows } from '../../kit/fleet/roles';
import { useLoadedSite } from '../../kit/fleet/sites';
import { changeSearch } from '../../kit/list/search-params';

const Archive = lazyRouteComponent(() => import('../../features/backups/ArchivePanel'), 'ArchivePanel');

/** The backups of a site; the archive that the address names is open beside them. */
export function SiteBackups({ id, search }: { id: string; search: ArchiveSearch }) {
  const { site } = useLoadedSite(id);
  const navigate = useNavigate();
  const show = (change: ArchiveSearch, isStep = false) =>
    void navigate({ to: '/sites/$siteId/backups', params: { siteId: id }, ...changeSearch(change, { isStep }) });
  return (
    <>
      {site && <BackupsSection key={id} site={site} onOpen={(archive) => show({ archive }, true)} />}
      {search.archive !== undefined && site && allows(site, listArchive) && (
        // Without its own Suspense, a loading panel would replace the backups too.
        <Suspense>
          <Archive
            key={`${id} ${search.archive}`}
            siteId={id}
            filename={search.archive}
            search={search}
            // Opening a folder adds a history entry; a letter of a search does not.
            onChange={(change) => show(change, 'folder' in change && !('archive' in change))}
            onClose={() => show(closedArchive)}
          />
        </Suspense>
      )}
    </>
  );
}
