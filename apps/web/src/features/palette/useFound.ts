import { skipToken } from '@reduxjs/toolkit/query';
import { useDebouncedValue } from '@mantine/hooks';
import type { SearchResults } from '@vigie/contracts/search';
import { useMemo } from 'react';
import { aboutOf } from './deeds';
import { entitiesOf } from './entities';
import { paletteApi } from './palette.api';

const pauseMs = 120;

const allOf = (found: SearchResults | undefined) => (found ? entitiesOf(found) : []);

/** What the fleet has of what is typed. Until an answer comes what the letters before found stands there. */
export function useFound(query: string) {
  const wanted = query.trim();
  const [paused] = useDebouncedValue(wanted, pauseMs);
  const asked = wanted === '' ? '' : paused;
  const about = aboutOf(asked);
  const whole = paletteApi.useSearchQuery(asked === '' ? skipToken : asked);
  const part = paletteApi.useSearchQuery(about ?? skipToken);
  const entities = useMemo(() => ({ all: allOf(whole.data), about: allOf(part.data) }), [whole.data, part.data]);
  const failed = whole.error ?? part.error;
  return {
    entities,
    isSettled: asked === wanted && !whole.isFetching && !part.isFetching,
    note: wanted === '' ? undefined : noteOf(failed !== undefined, whole.currentData?.away ?? []),
  };
}

const noteOf = (hasFailed: boolean, away: SearchResults['away']): string | undefined => {
  if (hasFailed) return 'La recherche ne répond pas pour l’instant. Les pages et les actions restent là.';
  if (away.includes('fleet'))
    return 'Les sites, les serveurs, les groupes et les plugins ne répondent pas pour l’instant.';
  return away.includes('zones') ? 'Les zones DNS ne répondent pas pour l’instant.' : undefined;
};
