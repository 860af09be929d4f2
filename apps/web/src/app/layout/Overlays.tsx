import type { User } from '@vigie/contracts/users';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { useSignal } from '../../ui/signal';
import { commandsFor } from '../commands';
import { logOut } from '../logout';
import { closeOverlay, overlay } from './overlays';
import { useSetPanel } from './panel';

const loadPalette = () => import('../../features/palette/Palette');
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }));
const loadProfile = () => import('../../features/profile/ProfileDrawer');
const ProfileDrawer = lazy(async () => ({ default: (await loadProfile()).ProfileDrawer }));
const MobileMenu = lazy(async () => ({ default: (await import('./MobileMenu')).MobileMenu }));
const ShortcutsSheet = lazy(async () => ({ default: (await import('./ShortcutsSheet')).ShortcutsSheet }));

/** Nobody waits for the palette: it is fetched once the page has nothing better to do. */
function usePreload() {
  useEffect(() => {
    const timer = setTimeout(() => {
      void loadPalette();
      void loadProfile();
    }, 1500);
    return () => clearTimeout(timer);
  }, []);
}

export function Overlays({ user, isAdmin }: { user: User | undefined; isAdmin: boolean }) {
  const open = useSignal(overlay);
  const navigate = useNavigate();
  const { panel } = useSearch({ strict: false });
  usePreload();
  const setPanel = useSetPanel();
  return (
    <Suspense>
      {open === 'menu' && <MobileMenu />}
      {open === 'shortcuts' && <ShortcutsSheet />}
      {open === 'palette' && <Palette commands={commandsFor({ isAdmin, navigate, setPanel })} onClose={closeOverlay} />}
      {panel === 'profile' && user && (
        <ProfileDrawer user={user} onClose={() => setPanel(undefined)} onLogOut={logOut} />
      )}
    </Suspense>
  );
}
