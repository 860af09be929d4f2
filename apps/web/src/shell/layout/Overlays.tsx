import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Me } from '@vigie/contracts/users';
import { useEffect } from 'react';
import { useSignal } from '../../ui/signal';
import { pendingDownloads } from '../../features/backups/pending-downloads';
import { useConnection } from '../../kit/query/connection';
import { startLogout } from '../session/logout';
import { LazyComponent } from './LazyComponent';
import { closeOverlay, overlay, useSetPanel } from './overlays';

const loadPalette = async () => (await import('../palette/Palette')).Palette;
const loadProfile = async () => (await import('./ProfilePanel')).ProfilePanel;
const loadMenu = async () => (await import('./MobileMenu')).MobileMenu;
const loadUpdates = async () => (await import('../../features/changes/UpdateDialogs')).UpdateSites;
const loadDownloads = async () => (await import('../../features/backups/PendingDownloads')).PendingDownloads;
const loadBatch = async () => (await import('../../features/site-batches/BatchDialog')).BatchDialog;
const loadShortcuts = async () => (await import('./ShortcutsSheet')).ShortcutsSheet;

/** The archives stay in Vigie. */
const ignore = () => undefined;

/** Fetches the palette and the profile while the page is idle. */
function usePreload() {
  const isOnline = useConnection() === 'online';
  useEffect(() => {
    if (!isOnline) return undefined;
    const timer = setTimeout(() => {
      // A failure is shown only when the component is opened.
      for (const load of [loadPalette, loadProfile]) load().catch(() => undefined);
    }, 1500);
    return () => clearTimeout(timer);
  }, [isOnline]);
}

export function Overlays({ user, isAdmin }: { user: Me | undefined; isAdmin: boolean }) {
  usePreload();
  const open = useSignal(overlay);
  const hasDownloads = useSignal(pendingDownloads).length > 0;
  const navigate = useNavigate();
  const setPanel = useSetPanel();
  const { panel } = useSearch({ strict: false });
  const closePanel = () => setPanel(undefined);
  const batch = open !== null && typeof open === 'object' ? open : undefined;
  const profile = user && { user, onClose: closePanel, onLogOut: () => startLogout(navigate) };
  return (
    <>
      {hasDownloads && <LazyComponent load={loadDownloads} onFail={ignore} props={{}} />}
      {open === 'menu' && <LazyComponent load={loadMenu} onFail={closeOverlay} props={{}} />}
      {open === 'shortcuts' && <LazyComponent load={loadShortcuts} onFail={closeOverlay} props={{}} />}
      {open === 'palette' && (
        <LazyComponent load={loadPalette} onFail={closeOverlay} props={{ isAdmin, onClose: closeOverlay }} />
      )}
      {batch?.verb === 'update' && (
        <LazyComponent
          load={loadUpdates}
          onFail={closeOverlay}
          props={{ siteIds: batch.siteIds, onClose: closeOverlay }}
        />
      )}
      {batch && batch.verb !== 'update' && (
        <LazyComponent
          load={loadBatch}
          onFail={closeOverlay}
          props={{ verb: batch.verb, ids: batch.siteIds, onDone: () => undefined, onClose: closeOverlay }}
        />
      )}
      {panel === 'profile' && profile && <LazyComponent load={loadProfile} onFail={closePanel} props={profile} />}
    </>
  );
}
