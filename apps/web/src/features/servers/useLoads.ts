import { skipToken } from '@reduxjs/toolkit/query';
import type { HealthItem } from '@vigie/contracts/server-health';
import { useMemo } from 'react';
import { usePollInterval, whileVisible } from '../../kit/query/usePollInterval';
import { statusApi } from './servers.api';

const pollMs = 60_000;

/** Loads the load history of the shown servers in one request. */
export function useLoads(serverIds: readonly string[]): ReadonlyMap<string, HealthItem> {
  const ids = serverIds.length > 0 ? serverIds.toSorted() : skipToken;
  const pollingInterval = usePollInterval(statusApi.endpoints.loads.useQueryState(ids), pollMs);
  const { data } = statusApi.useLoadsQuery(ids, {
    pollingInterval,
    refetchOnMountOrArgChange: true,
    ...whileVisible,
  });
  return useMemo(() => new Map(data?.map((item) => [item.id, item])), [data]);
}
