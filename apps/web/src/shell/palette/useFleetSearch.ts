import { useDebouncedValue } from '@mantine/hooks';
import { skipToken } from '@reduxjs/toolkit/query';
import { type SearchResults, searchFleet } from '@vigie/contracts/search';
import { useMemo } from 'react';
import { api } from '../../kit/query/api';
import { queryOf } from '../../kit/query/endpoints';
import { withoutActionWords } from './actions';
import { toEntities } from './entities';

const pauseMs = 120;

const entitiesIn = (results: SearchResults | undefined) => (results ? toEntities(results) : []);

/** Searches sites, servers, groups, plugins and zones. Keeps the previous results until new ones arrive. */
export function useFleetSearch(query: string) {
  const text = query.trim();
  const [debounced] = useDebouncedValue(text, pauseMs);
  const searched = text === '' ? '' : debounced;
  const targetQuery = withoutActionWords(searched);
  const allResults = paletteApi.useSearchQuery(searched === '' ? skipToken : { q: searched });
  const targetResults = paletteApi.useSearchQuery(targetQuery === undefined ? skipToken : { q: targetQuery });
  const entities = useMemo(
    () => ({ all: entitiesIn(allResults.data), targets: entitiesIn(targetResults.data) }),
    [allResults.data, targetResults.data],
  );
  const error = allResults.error ?? targetResults.error;
  return {
    entities,
    isSettled: searched === text && !allResults.isFetching && !targetResults.isFetching,
    note: text === '' ? undefined : noteOf(error !== undefined, allResults.currentData?.away ?? []),
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
  }),
});
