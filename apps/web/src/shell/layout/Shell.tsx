import { Box, Stack } from '@mantine/core';
import { Navigate, Outlet, useMatchRoute, useRouter, useRouterState } from '@tanstack/react-router';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { useRestoreConsoles } from '../../features/consoles/useConsoles';
import { userQueries } from '../../kit/fleet/users';
import { isApiError } from '../../kit/query/api-error';
import { expireSession, rememberUser, useStoredSession } from '../../kit/query/session';
import { Dock } from '../dock/Dock';
import { focusList } from './focusList';
import { Footer } from './Footer';
import { Header } from './Header';
import { OfflineBanner } from './OfflineBanner';
import styles from './layout.module.css';
import { Overlays } from './Overlays';
import { Sidebar } from './Sidebar';
import { LoadingStart, StartFailed } from './StartScreens';
import { useHotkeys } from './useHotkeys';

/** Reads the current user and stores it. A 4xx ends the session; no response does not. */
function useMe() {
  const { token } = useStoredSession();
  const me = userQueries.useMeQuery(undefined, { skip: token === null, refetchOnFocus: true });
  const { data: user, error } = me;
  useEffect(() => {
    if (user) rememberUser(user);
  }, [user]);
  useEffect(() => {
    if (token === null || !isApiError(error)) return;
    if (error.status >= 400 && error.status < 500 && error.status !== 429) expireSession(token);
  }, [token, error]);
  return me;
}

/**
 * Moves the focus to a new screen, so that a screen reader starts at its top, unless the address has a hash, the focus is in
 * a dialog, a panel, a terminal or the tabs of a screen, or a quick user has already moved it into the new screen.
 */
function useFocusOnArrival() {
  const main = useRef<HTMLElement>(null);
  const router = useRouter();
  const departure = useRef<Element>(null);
  useEffect(
    () => router.subscribe('onBeforeNavigate', () => void (departure.current = document.activeElement)),
    [router],
  );
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  const hasPart = useRouterState({ select: (state) => (state.resolvedLocation?.hash ?? '') !== '' });
  const previous = useRef(path);
  useEffect(() => {
    const isNew = previous.current !== undefined && previous.current !== path;
    previous.current = path;
    const focused = document.activeElement;
    const isInLayer = focused?.closest('[role=dialog], [data-terminal], [data-tabs]');
    // The panel of a menu stands outside of the screen in the document.
    const isInScreen = main.current?.contains(focused) || focused?.closest('[data-panel]');
    const isMoved = focused !== departure.current && isInScreen;
    if (isNew && !hasPart && !isInLayer && !isMoved) main.current?.focus({ preventScroll: true });
  }, [path, hasPart]);
  return main;
}

const column = { flexDirection: 'column' } as const;

type ConsoleScreenProps = { main: RefObject<HTMLElement | null>; children: ReactNode };

/** A full-screen terminal takes the height that an on-screen keyboard leaves. */
const ConsoleScreen = ({ main, children }: ConsoleScreenProps) => (
  <Stack gap={0} h="100dvh">
    <OfflineBanner />
    <Box component="main" display="flex" flex={1} mih={0} style={column} id="contenu" ref={main} tabIndex={-1}>
      {children}
    </Box>
  </Stack>
);

/** The first Tab stops, shown while they have the focus. */
function SkipLinks() {
  const hasList = useMatchRoute()({ to: '/sites' }) !== false;
  return (
    <>
      <a href="#contenu" className={styles['skip']}>
        Aller au contenu
      </a>
      {hasList && (
        <button type="button" className={styles['skip']} onClick={focusList}>
          Aller à la liste
        </button>
      )}
    </>
  );
}

function Frame({ user }: { user: ReturnType<typeof useMe>['data'] }) {
  const { userId, isAdmin: isStoredAdmin, adminMode } = useStoredSession();
  const main = useFocusOnArrival();
  useHotkeys();
  useRestoreConsoles();
  const isAdmin = user ? user.is_admin : isStoredAdmin;
  const isRestricted = user?.requires_2fa_setup === true;
  const isSettingUp = useMatchRoute()({ to: '/security/2fa' }) !== false;
  const isConsole = useRouterState({ select: ({ location }) => location.pathname.endsWith('/console') });
  const content = isRestricted && !isSettingUp ? <Navigate to="/security/2fa" replace /> : <Outlet />;
  if (isConsole) {
    return (
      <>
        <ConsoleScreen main={main}>{content}</ConsoleScreen>
        <Overlays user={user} isAdmin={isAdmin} />
      </>
    );
  }
  return (
    <>
      <SkipLinks />
      <Header user={user} userId={userId} isAdmin={isAdmin} isAdminMode={isAdmin && adminMode} />
      <Box display="flex">
        {!isRestricted && <Sidebar />}
        <Stack gap={0} flex={1} miw={0} mih="calc(100dvh - var(--header))">
          <OfflineBanner />
          <Box component="main" flex={1} p="var(--gutter)" id="contenu" ref={main} tabIndex={-1}>
            {content}
          </Box>
          {!isRestricted && <Dock />}
          <Footer />
        </Stack>
      </Box>
      <Overlays user={user} isAdmin={isAdmin} />
    </>
  );
}

export function Shell() {
  const { token, isAdmin: isStoredAdmin } = useStoredSession();
  const { data: user, error, isFetching, refetch } = useMe();
  const isAdminScreen = useMatchRoute()({ to: '/admin/users' }) !== false;
  if (token !== null && (user || (isStoredAdmin && isAdminScreen && !error))) return <Frame user={user} />;
  if (token !== null && isApiError(error))
    return <StartFailed error={error} isRetrying={isFetching} onRetry={() => void refetch()} />;
  return <LoadingStart />;
}
