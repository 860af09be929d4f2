import { skipToken } from '@reduxjs/toolkit/query';
import type { SiteItem } from '@vigie/contracts/sites';
import { useMemo } from 'react';
import { allows, isOwn, type SiteRights } from './roles';
import { siteCalls } from './sites';
import { summaryQueries } from './summary';
import { useIsClient } from './users';

/** One page tells a guest from an owner: a person who has more sites, and no server, owns none of them. */
export const guestSites = { sort: 'name', limit: 100, offset: 0 } as const;

/** Whether somebody owns neither a site nor a server: all that they see is shared with them. */
export const isGuest = (sites: readonly SiteItem[], servers: number): boolean => servers === 0 && !sites.some(isOwn);

const noSites: readonly SiteItem[] = [];

/** What is shared with the user. `isGuest` is undefined until it is known, and false where it is not asked or not read. */
export function useGuest(isAsked: boolean) {
  const sites = siteCalls.useSitesQuery(isAsked ? guestSites : skipToken);
  const summary = summaryQueries.useSummaryQuery(isAsked ? undefined : skipToken);
  const [items, counts] = [sites.currentData?.items, summary.currentData?.counts];
  if (items && counts) return { isGuest: isGuest(items, counts.servers), sites: items };
  const mayBecomeKnown = isAsked && !sites.isError && !summary.isError;
  return { isGuest: mayBecomeKnown ? undefined : false, sites: items ?? noSites };
}

/** Whether the user may make a call on a site, where its role is known; the server refuses the rest. */
export const rightsOn =
  (sites: readonly SiteItem[]): SiteRights =>
  (siteId, call) => {
    const site = sites.find(({ id }) => id === siteId);
    return site === undefined || allows(site, call);
  };

/** For lists that say nothing of the roles of their sites. */
export function useSiteRights(): SiteRights {
  const { sites } = useGuest(useIsClient());
  return useMemo(() => rightsOn(sites), [sites]);
}
