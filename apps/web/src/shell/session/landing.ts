import { guestServers, guestSites, isGuest } from '../../kit/fleet/guests';
import { serverQueries } from '../../kit/fleet/servers';
import { siteCalls } from '../../kit/fleet/sites';
import { session } from '../../kit/query/session';
import { store } from '../../kit/store';
import { safeNext } from './next';

const once = { subscribe: false } as const;

/** The page after a login: a client who owns nothing begins with the sites that are shared with them. */
export async function landingPage(next: string | undefined): Promise<string> {
  const href = safeNext(next);
  if (href !== '/' || session.get().isAdmin) return href;
  const [sites, servers] = await Promise.all([
    store.dispatch(siteCalls.endpoints.sites.initiate(guestSites, once)),
    store.dispatch(serverQueries.endpoints.servers.initiate(guestServers, once)),
  ]);
  if (!sites.data || !servers.data) return href;
  return isGuest(sites.data.items, servers.data.total) ? '/sites' : href;
}
