import { skipToken } from '@reduxjs/toolkit/query';
import type { Received } from '@vigie/contracts/calls';
import { readHeartbeats } from '@vigie/contracts/uptime';
import { useMemo } from 'react';
import { api } from '../query/api';
import { queryOf } from '../query/endpoints';
import { usePollInterval, whileVisible } from '../query/usePollInterval';

/** The uptime's feature adds its own calls. */
export const uptimeQueries = api.injectEndpoints({
  endpoints: (build) => ({ heartbeats: build.query(queryOf(readHeartbeats)) }),
});

type SiteHeartbeat = Received<typeof readHeartbeats>['items'][number];
export type Heartbeats = ReadonlyMap<string, SiteHeartbeat>;

const pollMs = 60_000;
const maxIds = 100;

function usePart(ids: readonly string[]) {
  const params = ids.length === 0 ? skipToken : { ids: ids.slice(0, maxIds).toSorted().join(',') };
  const pollingInterval = usePollInterval(uptimeQueries.endpoints.heartbeats.useQueryState(params), pollMs);
  return uptimeQueries.useHeartbeatsQuery(params, {
    pollingInterval,
    refetchOnMountOrArgChange: pollMs / 1_000,
    ...whileVisible,
  }).data;
}

const noIds: readonly string[] = [];

/** The last checks of sites, in up to three parts of 100: a long list shows no more at once. */
export function useHeartbeats([
  first = noIds,
  second = noIds,
  third = noIds,
]: readonly (readonly string[])[]): Heartbeats {
  const parts = [usePart(first), usePart(second), usePart(third)];
  const [one, two, three] = parts;
  return useMemo(
    () => new Map([one, two, three].flatMap((part) => part?.items ?? []).map((item) => [item.id, item])),
    [one, two, three],
  );
}
