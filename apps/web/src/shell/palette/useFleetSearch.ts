import type { Fields } from '@vigie/contracts/calls';
import { serverState } from '@vigie/contracts/server-state';
import { useDebouncedValue } from '@mantine/hooks';
import { skipToken } from '@reduxjs/toolkit/query';
import { type SearchResults, searchFleet } from '@vigie/contracts/search';
import { parseSiteQuery } from '@vigie/contracts/site-search';
import { listSiteIds, type listSites } from '@vigie/contracts/sites';
import { useMemo } from 'react';
import { serverQueries } from '../../kit/fleet/servers';
import { siteCalls } from '../../kit/fleet/sites';
import { api } from '../../kit/query/api';
import { queryOf } from '../../kit/query/endpoints';
import { type Entity, serverEntity, siteEntity, toEntities } from './entities';
import type { Found } from './sections';
import { type ParsedQuery, parseQuery, type VerbName } from './verbs';

const pauseMs = 120;

const entitiesIn = (results: SearchResults | undefined) => (results ? toEntities(results) : []);

/** The names and words of a search with filters: "vitrines" of "groupe:vitrines maj:oui". */
const namesIn = (q: string) => {
  const { tokens, text } = parseSiteQuery(q);
  return [...tokens.flatMap((token) => ('name' in token ? token.name : [])), text].filter(Boolean).join(' ');
};

type SitesOf = { params: Fields<typeof listSiteIds>; of: string | undefined; q: string | undefined };

/** The sites that a query stands for: those that its filters leave, or those of the group or server that it names. */
function sitesOf({ rest, verbs }: ParsedQuery, targets: readonly Entity[]): SitesOf | undefined {
  const { tokens, text, problem } = parseSiteQuery(rest);
  const whole = targets.find(({ kind }) => kind === 'group' || kind === 'server');
  const [token] = tokens;
  if (token) {
    if (problem !== undefined) return undefined;
    const isAlone = tokens.length === 1 && text === '' && 'name' in token && token.key !== 'plugin';
    return { params: { q: rest }, of: isAlone ? (whole?.name ?? token.name) : undefined, q: rest };
  }
  if (!whole || !(verbs.has('backup') || verbs.has('update') || verbs.has('test'))) return undefined;
  const params = whole.kind === 'group' ? { group_id: whole.id } : { server_id: whole.id };
  return { params, of: whole.name, q: undefined };
}

const suggested = 5;

/** The order of the sites that are offered for a verb alone. */
function suggestionsFor(verbs: ReadonlySet<VerbName>): Fields<typeof listSites> {
  if (verbs.has('update')) return { q: 'maj:oui', sort: '-updates', limit: suggested };
  if (verbs.has('repair')) return { status: 'error', limit: suggested };
  return { sort: verbs.has('backup') ? 'backup' : 'name', limit: suggested };
}

const isForServers = (verbs: ReadonlySet<VerbName>) =>
  verbs.has('console') || verbs.has('discover') || verbs.has('test');

/** What is offered for a verb alone: what was opened lately, then the sites or servers that it is most often meant for. */
function useSuggestions({ verbs, rest }: ParsedQuery, recents: readonly Entity[]) {
  const isVerbAlone = verbs.size > 0 && rest === '';
  const sites = siteCalls.useSitesQuery(isVerbAlone ? suggestionsFor(verbs) : skipToken);
  const servers = serverQueries.useServersQuery(
    isVerbAlone && isForServers(verbs) ? { sort: 'name', limit: suggested, offset: 0 } : skipToken,
  );
  const entities = useMemo(() => {
    const found = [
      ...(sites.data?.items ?? []).map((site) => siteEntity({ ...site, server_id: site.connection.ssh.server_id })),
      ...(servers.data?.items ?? []).map(({ status, ...server }) =>
        serverEntity({ ...server, state: serverState(status.online, status.alerts) }),
      ),
    ];
    return [...recents, ...found.filter(({ id }) => !recents.some((recent) => recent.id === id))];
  }, [recents, sites.data, servers.data]);
  return { entities: isVerbAlone ? entities : undefined, isFetching: sites.isFetching || servers.isFetching };
}

/** The results of the whole query, and what its verb may apply to. Keeps the previous ones until new ones arrive. */
function useEntities(searched: string, parsed: ParsedQuery, recents: readonly Entity[]) {
  const names = parsed.verbs.size > 0 || parsed.rest.includes(':') ? namesIn(parsed.rest) : '';
  const all = paletteApi.useSearchQuery(searched === '' ? skipToken : { q: searched });
  const targets = paletteApi.useSearchQuery(names === '' ? skipToken : { q: names });
  const suggestions = useSuggestions(parsed, recents);
  const entities = useMemo(
    () => ({ all: entitiesIn(all.data), targets: suggestions.entities ?? entitiesIn(targets.data) }),
    [all.data, targets.data, suggestions.entities],
  );
  const isFetching = all.isFetching || targets.isFetching || suggestions.isFetching;
  return { entities, isFetching, error: all.error ?? targets.error, away: all.currentData?.away ?? [] };
}

/** Searches sites, servers, groups, plugins and zones, and counts the sites that the query stands for. */
export function useFleetSearch(query: string, recents: readonly Entity[]) {
  const text = query.trim();
  const [debounced] = useDebouncedValue(text, pauseMs);
  const searched = text === '' ? '' : debounced;
  const parsed = useMemo(() => parseQuery(searched), [searched]);
  const { entities, isFetching, error, away } = useEntities(searched, parsed, recents);
  const meant = useMemo(() => sitesOf(parsed, entities.targets), [parsed, entities.targets]);
  const ids = paletteApi.useFoundSitesQuery(meant?.params ?? skipToken);
  const found: Found = useMemo(
    () => ({ ...entities, sites: meant && ids.currentData && { ...ids.currentData, of: meant.of, q: meant.q } }),
    [entities, meant, ids.currentData],
  );
  return {
    found,
    isSettled: searched === text && !isFetching && !ids.isFetching,
    note: text === '' ? undefined : noteOf(error !== undefined, away),
  };
}

const noteOf = (hasFailed: boolean, unavailable: SearchResults['away']): string | undefined => {
  if (hasFailed) return 'La recherche ne répond pas pour l’instant. Les pages et les actions restent disponibles.';
  if (unavailable.includes('fleet'))
    return 'Les sites, les serveurs, les groupes et les plugins ne répondent pas pour l’instant.';
  return unavailable.includes('zones') ? 'Les zones DNS ne répondent pas pour l’instant.' : undefined;
};

const paletteApi = api.injectEndpoints({
  endpoints: (build) => ({
    // Results go stale quickly: a site may have been deleted since.
    search: build.query({ ...queryOf(searchFleet), keepUnusedDataFor: 5 }),
    foundSites: build.query({ ...queryOf(listSiteIds), keepUnusedDataFor: 5 }),
  }),
});
