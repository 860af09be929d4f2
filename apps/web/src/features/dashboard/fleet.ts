import type { LinkProps } from '@tanstack/react-router';
import type { Fleet } from '@vigie/contracts/dashboard';
import type { SiteStatus } from '@vigie/contracts/sites';
import type { FleetSearch } from './search';

/** How a cell looks. `updates` is pale, because a waiting update is no alarm. */
export type CellTone = 'danger' | 'warn' | 'info' | 'updates' | 'ok' | 'neutral';

export type FleetSite = {
  id: string;
  name: string;
  status: SiteStatus;
  server: number | null;
  groups: readonly number[];
  updates: number;
  isBusy: boolean;
  reason: string | null;
};

export function sitesOf({ sites, busy, reasons }: Fleet): FleetSite[] {
  const busyPlaces = new Set(busy);
  const reasonOf = new Map(reasons.flatMap(({ text, sites: places }) => places.map((place) => [place, text] as const)));
  return sites.ids.map((id, at) => ({
    id,
    name: sites.names[at] ?? '',
    status: sites.statuses[at] ?? 'unknown',
    server: sites.servers[at] ?? null,
    groups: sites.groups[at] ?? [],
    updates: sites.updates[at] ?? 0,
    isBusy: busyPlaces.has(at),
    reason: reasonOf.get(at) ?? null,
  }));
}

export function toneOf({ status, isBusy, reason, updates }: FleetSite): CellTone {
  if (status === 'error') return 'danger';
  if (isBusy) return 'info';
  if (status === 'unknown') return 'neutral';
  if (reason !== null) return 'warn';
  return updates > 0 ? 'updates' : 'ok';
}

type ListFilter = { status?: SiteStatus; q?: string; sort?: '-updates'; server?: string; group?: string };

type State = {
  tone: CellTone;
  word: string;
  /** As the list of sites filters, so that both have the same number. A site may match several. */
  matches: (site: FleetSite) => boolean;
  /** Absent where the list has no such filter. */
  filter?: ListFilter;
};

export const states: readonly State[] = [
  { tone: 'danger', word: 'Erreur', matches: ({ status }) => status === 'error', filter: { status: 'error' } },
  {
    tone: 'warn',
    word: 'Attention',
    matches: ({ status, reason }) => status === 'warning' && reason !== null,
    filter: { status: 'warning', q: 'http:4xx' },
  },
  { tone: 'info', word: 'En cours', matches: ({ isBusy }) => isBusy },
  {
    tone: 'updates',
    word: 'Mises à jour',
    matches: ({ updates }) => updates > 0,
    filter: { q: 'maj:oui', sort: '-updates' },
  },
  { tone: 'ok', word: 'OK', matches: ({ status }) => status === 'ok', filter: { status: 'ok' } },
  { tone: 'neutral', word: 'N/A', matches: ({ status }) => status === 'unknown', filter: { status: 'unknown' } },
];

export type Count = { tone: CellTone; word: string; count: number; to: LinkProps | undefined };

export const listLink = (filter: ListFilter): LinkProps => ({ to: '/sites', search: filter });

/** The numbers of sites in each state, each with the link to the list of just these. */
export const countStates = (sites: readonly FleetSite[], within: ListFilter | undefined): Count[] =>
  states.flatMap(({ tone, word, matches, filter }) => {
    const count = sites.filter(matches).length;
    return count === 0 ? [] : [{ tone, word, count, to: filter && within && listLink({ ...within, ...filter }) }];
  });

export type Section = {
  key: string;
  title: string;
  /** The filter of the list for the same sites; absent where it has none. */
  filter: ListFilter | undefined;
  sites: readonly FleetSite[];
};

const rankOf = (site: FleetSite) => states.findIndex(({ tone }) => tone === toneOf(site));

/** Those that need somebody first, then by name, as they come. */
const worstFirst = (sites: readonly FleetSite[]) => sites.toSorted((one, other) => rankOf(one) - rankOf(other));

type Named = { id: string; name: string };
type Grouping = { by: 'server' | 'group'; rest: string; placesOf: (site: FleetSite) => readonly number[] };

/** One section for each of these, and one for the sites that are in none. */
function sectionsBy(named: readonly Named[], sites: readonly FleetSite[], { by, rest, placesOf }: Grouping): Section[] {
  const members: FleetSite[][] = named.map(() => []);
  for (const site of sites) for (const place of placesOf(site)) members[place]?.push(site);
  const sections = named.map(({ id, name }, at) => ({
    key: id,
    title: name,
    filter: { [by]: id },
    sites: members[at] ?? [],
  }));
  const alone = sites.filter((site) => placesOf(site).length === 0);
  return [...sections, { key: 'rest', title: rest, filter: undefined, sites: alone }];
}

const byServer = ({ servers }: Fleet, sites: readonly FleetSite[]) =>
  sectionsBy(servers, sites, {
    by: 'server',
    rest: 'Sans serveur',
    placesOf: ({ server }) => (server === null ? [] : [server]),
  });

/** A section has the sites of its subgroups too, as the list that it leads to. */
function byGroup({ groups }: Fleet, sites: readonly FleetSite[]): Section[] {
  const placeOf = new Map(groups.map(({ id }, at) => [id, at]));
  const rootOf = (place: number, depth = 0): number => {
    const parent = placeOf.get(groups[place]?.parent_id ?? '');
    return parent === undefined || depth > groups.length ? place : rootOf(parent, depth + 1);
  };
  const roots = groups.map((_, place) => rootOf(place));
  return sectionsBy(groups, sites, {
    by: 'group',
    rest: 'Sans groupe',
    placesOf: ({ groups: places }) => [...new Set(places.map((place) => roots[place] ?? place))],
  });
}

const byState = (sites: readonly FleetSite[]): Section[] =>
  states.map(({ tone, word, matches, filter }) => ({ key: tone, title: word, filter, sites: sites.filter(matches) }));

/** The sites in sections, as they are drawn and listed. */
export function sectionsOf(fleet: Fleet, by: FleetSearch['by']): Section[] {
  const sites = worstFirst(sitesOf(fleet));
  const sections = by === 'status' ? byState(sites) : (by === 'group' ? byGroup : byServer)(fleet, sites);
  return sections.filter((section) => section.sites.length > 0);
}
