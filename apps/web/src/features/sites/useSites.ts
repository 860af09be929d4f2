import { skipToken } from '@reduxjs/toolkit/query';
import { parseSiteQuery } from '@vigie/contracts/site-search';
import type { SiteItem } from '@vigie/contracts/sites';
import { useState } from 'react';
import { useHeartbeats } from '../../kit/fleet/uptime';
import { useListQuery } from '../../kit/list/useListQuery';
import { usePollInterval, whileVisible } from '../../kit/query/usePollInterval';
import { useDebouncedSearch } from '../../kit/list/SearchField';
import { useJobs } from '../../kit/job/useJobs';
import { useSignal } from '../../ui/signal';
import { chosenColumns } from './columns';
import { firstSort, type SitesSearch } from './search';
import { type Page, type SitesParams, sitesApi } from './sites.api';

const loadFailed = 'Impossible de charger les sites.';
const pollMs = 60_000;
/** While work goes on at a site of the list. */
const busyPollMs = 2_500;
/** The rows of one request, where a page has more. */
const partSize = 100;

/** Whether only rows near the screen are loaded and rendered. */
export const isLong = (size: number): boolean => size > partSize;

export type VisibleParts = { first: number; last: number; focused: number | undefined };
export const partAt = (row: number): number => Math.floor(row / partSize);
export const noParts: VisibleParts = { first: 0, last: 0, focused: undefined };

/** The last typed query that is valid. */
function useValidQuery(q: string): string {
  const next = useDebouncedSearch(q);
  const [lastValid, setLastValid] = useState('');
  if (next === lastValid || parseSiteQuery(next).problem !== undefined) return lastValid;
  setLastValid(next);
  return next;
}

export type SitesFilter = Omit<SitesParams, 'limit' | 'offset'>;

/** The filters and order of the list, as parameters of the query. */
export function useSitesFilter({
  q = '',
  group: groupId,
  server: serverId,
  status,
  sort = firstSort,
}: SitesSearch): SitesFilter {
  return { q: useValidQuery(q), sort, group_id: groupId, server_id: serverId, status };
}

const { sites, siteIds } = sitesApi.endpoints;
const refetchOptions = { refetchOnMountOrArgChange: true, ...whileVisible } as const;

/** A part is also read again and again while jobs are open: one that starts now shows in its row at once. */
function usePartQuery(params: SitesParams | typeof skipToken) {
  const hasJobs = useJobs().open.length > 0;
  const part = sites.useQueryState(params);
  const isBusy = hasJobs || part.currentData?.items.some(({ work }) => work !== null);
  const pollingInterval = usePollInterval(part, isBusy ? busyPollMs : pollMs);
  return sitesApi.useSitesQuery(params, { pollingInterval, ...refetchOptions });
}

function useIdsQuery(params: SitesParams | typeof skipToken) {
  const pollingInterval = usePollInterval(siteIds.useQueryState(params), pollMs);
  return sitesApi.useSiteIdsQuery(params, { pollingInterval, ...refetchOptions });
}

/**
 * Loads the parts near the screen and that of the focused row. Even and odd parts have a query each, so that a part
 * keeps its query while the list scrolls.
 */
function useVisibleParts(paramsOfPart: (partNumber: number) => SitesParams, { first, last, focused }: VisibleParts) {
  const visibleParts = [first, last];
  const [evenPart, oddPart] = [
    visibleParts.find((partNumber) => partNumber % 2 === 0),
    visibleParts.find((partNumber) => partNumber % 2 === 1),
  ];
  const focusedPart = focused === undefined || visibleParts.includes(focused) ? undefined : focused;
  const partParams = (partNumber: number | undefined) =>
    partNumber === undefined ? skipToken : paramsOfPart(partNumber);
  const evenAnswer = usePartQuery(partParams(evenPart));
  const oddAnswer = usePartQuery(partParams(oddPart));
  const focusedAnswer = usePartQuery(partParams(focusedPart));
  const [firstAnswer, otherAnswer] = first % 2 === 0 ? [evenAnswer, oddAnswer] : [oddAnswer, evenAnswer];
  const loadedParts = new Map<number | undefined, Page | undefined>([
    [focusedPart, focusedAnswer.currentData],
    [oddPart, oddAnswer.currentData],
    [evenPart, evenAnswer.currentData],
  ]);
  // Either part knows the total, so the list keeps its length while the other loads.
  return { answer: { ...firstAnswer, data: firstAnswer.data ?? otherAnswer.data }, loadedParts };
}

/** Loads a page of sites; of a long page only the parts near the screen. */
export function useSites(filter: SitesFilter, { page, size }: { page: number; size: number }, parts: VisibleParts) {
  const start = (page - 1) * size;
  const paramsOfPart = (partNumber: number): SitesParams => ({
    ...filter,
    limit: Math.min(size, partSize),
    offset: start + partNumber * partSize,
  });
  const { answer, loadedParts } = useVisibleParts(paramsOfPart, isLong(size) ? parts : noParts);
  const hasHeartbeats = useSignal(chosenColumns).includes('uptime');
  const ids = useIdsQuery(isLong(size) ? { ...filter, limit: size, offset: start } : skipToken);
  const { data } = answer;
  const total = data?.total ?? 0;
  const loaded = (isLong(size) ? [...loadedParts.values()] : [data]).flatMap((part) => (part ? [part.items] : []));
  return {
    answer: useListQuery(answer, loadFailed),
    count: Math.max(0, Math.min(size, total - start)),
    /** The sites of the page that are loaded. */
    loaded: loaded.flat(),
    /** Their last checks, while the column that shows them is chosen. */
    heartbeats: useHeartbeats(hasHeartbeats ? loaded.map((items) => items.map(({ id }) => id)) : []),
    rowAt: (row: number): SiteItem | undefined =>
      (isLong(size) ? loadedParts.get(partAt(row)) : data)?.items[row % partSize],
    ids: isLong(size) ? ids.currentData?.ids : data?.items.map(({ id }) => id),
  };
}
