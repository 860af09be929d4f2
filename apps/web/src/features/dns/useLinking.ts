import type { FreeSite, SiteZone } from '@vigie/contracts/dns-mapping';
import type { DnsZone } from '@vigie/contracts/dns-zones';
import { useState } from 'react';
import { useDebouncedSearch } from '../../kit/list/SearchField';
import { failureReason, sentenceOf } from '../../kit/query/failures';
import { toast } from '../../ui/toasts';
import { zonesApi } from './zones.api';

type Pair = { site: { id: string; name: string }; zone: Pick<DnsZone, 'id' | 'display_name'> };

/** Links and unlinks sites and zones inside Vigie; Cloudflare is not involved. */
export function useLinking() {
  const [linkZone, linking] = zonesApi.useLinkZoneMutation();
  const [unlinkZone, unlinking] = zonesApi.useUnlinkZoneMutation();
  const link = async ({ site, zone }: Pair, autoSync?: boolean): Promise<boolean> => {
    unlinking.reset();
    const { error } = await linkZone({
      zone_id: zone.id,
      site_id: site.id,
      ...(autoSync !== undefined && { auto_sync: autoSync }),
    });
    if (!error) toast.success(`${site.name} est lié à ${zone.display_name}.`);
    return !error;
  };
  const unlink = async ({ site_id: siteId, site_name: siteName, zone_mappings: mappings }: SiteZone): Promise<void> => {
    linking.reset();
    const { error } = await unlinkZone({ site_id: siteId });
    if (error) return;
    const name = siteName ?? 'Le site';
    const undo = () => {
      for (const { zone_id: zoneId, zone_name: zoneName, auto_sync: autoSync } of mappings)
        void link({ site: { id: siteId, name }, zone: { id: zoneId, display_name: zoneName } }, autoSync);
    };
    toast.success(`${name} n’est plus lié à ${mappings.map(({ zone_name: zoneName }) => zoneName).join(', ')}.`, undo);
  };
  const busyCall = [linking, unlinking].find(({ isLoading }) => isLoading);
  return {
    busySiteId: busyCall?.originalArgs?.site_id,
    failure: sentenceOf(linking.error ?? unlinking.error),
    link,
    unlink,
  };
}

export type Linking = ReturnType<typeof useLinking>;

/** A longer list gets a search field. */
const maxOptions = 50;
const refetchOnMount = { refetchOnMountOrArgChange: true } as const;
const noSites: readonly FreeSite[] = [];
const noZones: readonly DnsZone[] = [];

function useSearchText() {
  const [q, setQuery] = useState('');
  return { q, setQuery, settled: useDebouncedSearch(q) };
}

/** The first options, and a search field where there are more. */
export type LinkOptions<T> = {
  items: readonly T[];
  search: { q: string; setQuery: (q: string) => void } | undefined;
};

type FoundPage<T> = { items: readonly T[]; shownCount: number; total: number };

const linkOptionsOf = <T>(
  { q, setQuery }: ReturnType<typeof useSearchText>,
  { items, shownCount, total }: FoundPage<T>,
): LinkOptions<T> => ({
  items,
  search: q !== '' || shownCount < total ? { q, setQuery } : undefined,
});

/** Several configurations may see the same zone: the server links it by that of the site's owner. */
const uniqueZones = (zones: readonly DnsZone[]) => [...new Map(zones.map((zone) => [zone.id, zone])).values()];

/** Offers only unlinked sites and unused zones, as the specification says. */
export function useLinkOptions() {
  const [siteSearch, zoneSearch] = [useSearchText(), useSearchText()];
  const sites = zonesApi.useFreeSitesQuery({ q: siteSearch.settled, limit: maxOptions }, refetchOnMount);
  const zones = zonesApi.useZonesQuery({ unlinked: '1', q: zoneSearch.settled, limit: maxOptions }, refetchOnMount);
  const { sites: freeSites = noSites, total: siteCount = 0 } = sites.data ?? {};
  const { zones: freeZones = noZones, total: zoneCount = 0 } = zones.data ?? {};
  return {
    sites: linkOptionsOf(siteSearch, { items: freeSites, shownCount: freeSites.length, total: siteCount }),
    zones: linkOptionsOf(zoneSearch, { items: uniqueZones(freeZones), shownCount: freeZones.length, total: zoneCount }),
    isLoaded: sites.data !== undefined && zones.data !== undefined,
    failure: zones.error
      ? failureReason(zones.error, 'Failed to load zones')
      : sites.error && failureReason(sites.error, 'Impossible de charger les sites.'),
    refetch: () => {
      void sites.refetch();
      void zones.refetch();
    },
  };
}
