import { skipToken } from '@reduxjs/toolkit/query';
import type { HealthItem } from '@vigie/contracts/server-health';
import { useMemo } from 'react';
import { usePace, visibly } from '../../app/usePace';
import { statusApi } from './servers.api';

const everyMs = 60_000;

/** How loaded the shown servers were, by one request for all of them. */
export function useLoads(shown: readonly string[]): ReadonlyMap<string, HealthItem> {
  const ids = shown.length > 0 ? shown.toSorted() : skipToken;
  const pollingInterval = usePace(statusApi.endpoints.loads.useQueryState(ids), everyMs);
  const { data } = statusApi.useLoadsQuery(ids, {
    pollingInterval,
    refetchOnMountOrArgChange: true,
    ...visibly,
  });
  return useMemo(() => new Map(data?.map((item) => [item.id, item])), [data]);
}
