import type { RegisteredRouter } from '@tanstack/react-router';
import { userQueries } from '../../kit/fleet/users';
import { api } from '../../kit/query/api';
import { session } from '../../kit/query/session';
import { store } from '../../kit/store';

/** Leaves the page and its data when a session ends (a 401, another tab). Only routes below `appId` need a session. */
export function followSession(router: RegisteredRouter, appId: string): void {
  let token = session.get().token;
  // The user is fetched at the same time as the code of the screen.
  if (token !== null) void store.dispatch(userQueries.endpoints.me.initiate(undefined, { subscribe: false }));
  const needsSession = (pathname: string): boolean =>
    router.getMatchedRoutes(pathname)[0].some(({ id }) => id === appId);
  const follow = async (): Promise<void> => {
    const previous = token;
    token = session.get().token;
    if (previous === token) return;
    const { href, pathname } = router.state.location;
    if (token === null && needsSession(pathname)) await router.navigate({ to: '/login', search: { next: href } });
    if (previous !== null) store.dispatch(api.util.resetApiState());
  };
  session.subscribe(() => void follow());
  // Another tab logged in, so the login screen redirects.
  window.addEventListener('storage', (event) => {
    if (event.key === 'access_token' && event.newValue !== null) void router.invalidate();
  });
}
