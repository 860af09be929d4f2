import type { FreeSite } from '@vigie/contracts/dns-mapping';
import type { DnsZone } from '@vigie/contracts/dns-zones';
import { useState } from 'react';
import { reasonOf } from '../../app/failed';
import { useSettled } from '../../ui/useSettled';
import { zonesApi } from './zones.api';

/** More are not offered at once: whoever wants another one searches for it. */
const max = 50;
const often = { refetchOnMountOrArgChange: true } as const;
const noSites: readonly FreeSite[] = [];
const noZones: readonly DnsZone[] = [];

function useTyped() {
  const [q, setQuery] = useState('');
  return { q, setQuery, typed: useSettled(q) };
}

/** Some of those that can be chosen, and the way to the others, where there are others. */
export type Offer<T> = {
  items: readonly T[];
  search: { q: string; setQuery: (q: string) => void } | undefined;
};

type Found<T> = { items: readonly T[]; all: number; total: number };

const offerOf = <T>({ q, setQuery }: ReturnType<typeof useTyped>, { items, all, total }: Found<T>): Offer<T> => ({
  items,
  search: q !== '' || all < total ? { q, setQuery } : undefined,
});

/** One that several logins see is linked by that of the site's owner. */
const once = (zones: readonly DnsZone[]) => [...new Map(zones.map((zone) => [zone.id, zone])).values()];

/** Only unlinked sites and unused zones are offered. */
export function useFree() {
  const [forSite, forZone] = [useTyped(), useTyped()];
  const sites = zonesApi.useFreeSitesQuery({ q: forSite.typed, limit: max }, often);
  const zones = zonesApi.useZonesQuery({ unlinked: '1', q: forZone.typed, limit: max }, often);
  const { sites: found = noSites, total: siteCount = 0 } = sites.data ?? {};
  const { zones: unused = noZones, total: zoneCount = 0 } = zones.data ?? {};
  return {
    sites: offerOf(forSite, { items: found, all: found.length, total: siteCount }),
    zones: offerOf(forZone, { items: once(unused), all: unused.length, total: zoneCount }),
    isKnown: sites.data !== undefined && zones.data !== undefined,
    failure: zones.error
      ? reasonOf(zones.error, 'Failed to load zones')
      : sites.error && reasonOf(sites.error, 'Impossible de charger les sites.'),
    refetch: () => {
      void sites.refetch();
      void zones.refetch();
    },
  };
}
