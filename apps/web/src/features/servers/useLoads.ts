import { skipToken } from '@reduxjs/toolkit/query';
import type { HealthItem } from '@vigie/contracts/server-health';
import { useMemo } from 'react';
import { statusApi } from './servers.api';

const everyMs = 60_000;

/** How loaded the shown servers were, by one request for all of them. */
export function useLoads(shown: readonly string[]): ReadonlyMap<string, HealthItem> {
  const ids = shown.toSorted();
  const { data } = statusApi.useLoadsQuery(ids.length > 0 ? ids : skipToken, {
    pollingInterval: everyMs,
    skipPollingIfUnfocused: true,
    refetchOnFocus: true,
    refetchOnMountOrArgChange: true,
  });
  return useMemo(() => new Map(data?.map((item) => [item.id, item])), [data]);
}
