import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Me } from '@vigie/contracts/users';
import { useEffect } from 'react';
import { useSignal } from '../../ui/signal';
import { commandsFor } from '../commands';
import { leave } from '../logout';
import { Late } from './Late';
import { closeOverlay, overlay } from './overlays';
import { useSetPanel } from './panel';

const loadPalette = async () => (await import('../../features/palette/Palette')).Palette;
const loadProfile = async () => (await import('./ProfilePanel')).ProfilePanel;
const loadMenu = async () => (await import('./MobileMenu')).MobileMenu;
const loadShortcuts = async () => (await import('./ShortcutsSheet')).ShortcutsSheet;

/** Nobody waits for the palette: it is fetched once the page has nothing better to do. */
function usePreload() {
  useEffect(() => {
    const timer = setTimeout(() => {
      // A failure shows when the thing is wanted, not before.
      for (const load of [loadPalette, loadProfile]) load().catch(() => undefined);
    }, 1500);
    return () => clearTimeout(timer);
  }, []);
}

export function Overlays({ user, isAdmin }: { user: Me | undefined; isAdmin: boolean }) {
  usePreload();
  const open = useSignal(overlay);
  const navigate = useNavigate();
  const setPanel = useSetPanel();
  const { panel } = useSearch({ strict: false });
  const closePanel = () => setPanel(undefined);
  const commands = () => commandsFor({ isAdmin, navigate, setPanel });
  const profile = user && { user, onClose: closePanel, onLogOut: () => leave(navigate) };
  return (
    <>
      {open === 'menu' && <Late load={loadMenu} onFail={closeOverlay} props={{}} />}
      {open === 'shortcuts' && <Late load={loadShortcuts} onFail={closeOverlay} props={{}} />}
      {open === 'palette' && (
        <Late load={loadPalette} onFail={closeOverlay} props={{ commands: commands(), onClose: closeOverlay }} />
      )}
      {panel === 'profile' && profile && <Late load={loadProfile} onFail={closePanel} props={profile} />}
    </>
  );
}
