import { skipToken } from '@reduxjs/toolkit/query';
import type { Contract } from '@vigie/contracts/contract';
import type { SiteItem } from '@vigie/contracts/sites';
import { useMemo } from 'react';
import { allows, isOwn } from './roles';
import { serverQueries } from './servers';
import { siteCalls } from './sites';
import { useUser } from './users';

/** One page tells a guest from an owner: whoever has more sites, and no server, owns none of them. */
export const guestSites = { sort: 'name', limit: 100, offset: 0 } as const;
export const guestServers = { sort: 'name', limit: 1, offset: 0 } as const;

/** Whether somebody owns neither a site nor a server: all that they see is shared with them. */
export const isGuest = (sites: readonly SiteItem[], servers: number): boolean => servers === 0 && !sites.some(isOwn);

const noSites: readonly SiteItem[] = [];

/** What is shared with the user. `isGuest` is undefined until it is known, and false where it is not asked or not read. */
export function useGuest(isAsked: boolean) {
  const sites = siteCalls.useSitesQuery(isAsked ? guestSites : skipToken);
  const servers = serverQueries.useServersQuery(isAsked ? guestServers : skipToken);
  const [items, total] = [sites.currentData?.items, servers.currentData?.total];
  if (items && total !== undefined) return { isGuest: isGuest(items, total), sites: items };
  const mayBecomeKnown = isAsked && !sites.isError && !servers.isError;
  return { isGuest: mayBecomeKnown ? undefined : false, sites: items ?? noSites };
}

/** Administrators own what they see, or see all of it; clients are often shown the sites of somebody else. */
export const useIsClient = (): boolean => useUser()?.role === 'client';

export type SiteRights = (siteId: string | null, call: Pick<Contract, 'grantRole'>) => boolean;

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
