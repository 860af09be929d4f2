import { skipToken } from '@reduxjs/toolkit/query';
import type { HealthItem } from '@vigie/contracts/server-health';
import { useMemo } from 'react';
import { usePace, visibly } from '../../app/usePace';
import { statusApi } from './servers.api';

const pollMs = 60_000;

/** Loads the load history of the shown servers in one request. */
export function useLoads(serverIds: readonly string[]): ReadonlyMap<string, HealthItem> {
  const ids = serverIds.length > 0 ? serverIds.toSorted() : skipToken;
  const pollingInterval = usePace(statusApi.endpoints.loads.useQueryState(ids), pollMs);
  const { data } = statusApi.useLoadsQuery(ids, {
    pollingInterval,
    refetchOnMountOrArgChange: true,
    ...visibly,
  });
  return useMemo(() => new Map(data?.map((item) => [item.id, item])), [data]);
}
