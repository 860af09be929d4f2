import { useNavigate, useSearch } from '@tanstack/react-router';
import type { User } from '@vigie/contracts/users';
import { useEffect } from 'react';
import { useSignal } from '../../ui/signal';
import { api } from '../api';
import { commandsFor } from '../commands';
import { logOut } from '../logout';
import { setAdminMode, useStoredSession } from '../session';
import { store } from '../store';
import { Late } from './Late';
import { closeOverlay, overlay } from './overlays';
import { useSetPanel } from './panel';

const loadPalette = async () => (await import('../../features/palette/Palette')).Palette;
const loadProfile = async () => (await import('../../features/profile/ProfileDrawer')).ProfileDrawer;
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

export function Overlays({ user, isAdmin }: { user: User | undefined; isAdmin: boolean }) {
  usePreload();
  const open = useSignal(overlay);
  const navigate = useNavigate();
  const setPanel = useSetPanel();
  const { panel } = useSearch({ strict: false });
  const closePanel = () => setPanel(undefined);
  const commands = () => commandsFor({ isAdmin, navigate, setPanel });
  const { adminMode: isAdminMode } = useStoredSession();
  const onAdminMode = (isOn: boolean) => {
    setAdminMode(isOn);
    // What is shown was read with the other eyes.
    store.dispatch(api.util.resetApiState());
  };
  const profile = user && { user, isAdminMode, onAdminMode, onClose: closePanel, onLogOut: logOut };
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
