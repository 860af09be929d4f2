import { guestSites, isGuest } from '../../kit/fleet/guests';
import { siteCalls } from '../../kit/fleet/sites';
import { summaryQueries } from '../../kit/fleet/summary';
import { session } from '../../kit/query/session';
import { store } from '../../kit/store';
import { safeNext } from './next';

const once = { subscribe: false } as const;

/** The page after a login: a client who owns nothing begins with the sites that are shared with them. */
export async function landingPage(next: string | undefined): Promise<string> {
  const href = safeNext(next);
  if (href !== '/' || session.get().isAdmin) return href;
  const [sites, summary] = await Promise.all([
    store.dispatch(siteCalls.endpoints.sites.initiate(guestSites, once)),
    store.dispatch(summaryQueries.endpoints.summary.initiate(undefined, once)),
  ]);
  if (!sites.data || !summary.data) return href;
  return isGuest(sites.data.items, summary.data.counts.servers) ? '/sites' : href;
}
