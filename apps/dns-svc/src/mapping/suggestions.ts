type Site = { id: string; name: string; url: string };
type Zone = { id: string; name: string };
type Suggestion<S extends Site, Z extends Zone> = { site: S; zone: Z };

const collator = new Intl.Collator('fr', { numeric: true, sensitivity: 'base' });

/** Returns the host in punycode, as zones are named. */
export const hostOf = (url: string): string | undefined =>
  URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, '') || undefined : undefined;

/** Returns the zone of a host: of `a.exemple.fr` and `exemple.fr`, the closest one. */
export function zoneOf<Z extends Zone>(host: string, zones: readonly Z[]): Z | undefined {
  const candidates = zones.filter(({ name }) => host === name || host.endsWith(`.${name}`));
  return candidates.toSorted((a, b) => b.name.length - a.name.length)[0];
}

/** The domain itself and its `www` come before a shop or a test beside them. */
const distanceOf = (host: string, zone: Zone) =>
  host === zone.name ? 0 : host === `www.${zone.name}` ? 1 : host.length - zone.name.length + 1;

export const compareByZone = (a: { zone: Zone }, b: { zone: Zone }) => collator.compare(a.zone.name, b.zone.name);

/** Pairs sites and zones by host, each at most once. */
export function pairSites<S extends Site, Z extends Zone>(
  sites: readonly S[],
  zones: readonly Z[],
): Suggestion<S, Z>[] {
  const matches = sites.flatMap((site) => {
    const host = hostOf(site.url);
    const zone = host === undefined ? undefined : zoneOf(host, zones);
    return host === undefined || zone === undefined ? [] : [{ site, zone, distance: distanceOf(host, zone) }];
  });
  const best = new Map<string, (typeof matches)[number]>();
  for (const match of matches) {
    const previous = best.get(match.zone.id);
    if (!previous || match.distance < previous.distance) best.set(match.zone.id, match);
  }
  return [...best.values()].map(({ site, zone }) => ({ site, zone })).toSorted(compareByZone);
}
