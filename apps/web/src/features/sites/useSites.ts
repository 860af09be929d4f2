import { skipToken } from '@reduxjs/toolkit/query';
import { readSiteQuery } from '@vigie/contracts/site-search';
import type { SiteItem } from '@vigie/contracts/sites';
import { useState } from 'react';
import { useListed } from '../../app/useListed';
import { usePace, visibly } from '../../app/usePace';
import { useSettled } from '../../ui/useSettled';
import type { SitesSearch } from './search';
import { type Page, type Question, sitesApi } from './sites.api';

const failed = 'Impossible de charger les sites.';
const everyMs = 60_000;
/** What is asked at once of a longer page. */
const partSize = 100;

/** Above it only what is near the screen is asked for, and in the document. */
export const isLong = (size: number): boolean => size > partSize;

export type Parts = { first: number; last: number; held: number | undefined };
export const partAt = (row: number): number => Math.floor(row / partSize);
export const noParts: Parts = { first: 0, last: 0, held: undefined };

/** What was typed last that can be answered. */
function useAnswerable(q: string): string {
  const next = useSettled(q);
  const [last, setLast] = useState('');
  if (next === last || readSiteQuery(next).problem !== undefined) return last;
  setLast(next);
  return next;
}

export type Which = Omit<Question, 'limit' | 'offset'>;

/** Which sites are asked for, and in which order. */
export function useWhich({ q = '', group, server, status, sort = 'name' }: SitesSearch): Which {
  return { q: useAnswerable(q), sort, group_id: group, server_id: server, status };
}

const { sites, siteIds } = sitesApi.endpoints;
const often = { refetchOnMountOrArgChange: true, ...visibly } as const;

function usePart(asked: Question | typeof skipToken) {
  const pollingInterval = usePace(sites.useQueryState(asked), everyMs);
  return sitesApi.useSitesQuery(asked, { pollingInterval, ...often });
}

function useIds(asked: Question | typeof skipToken) {
  const pollingInterval = usePace(siteIds.useQueryState(asked), everyMs);
  return sitesApi.useSiteIdsQuery(asked, { pollingInterval, ...often });
}

/** Those near the screen, and that of the row which has the focus. Each of the first two keeps its own as the screen moves on. */
function useParts(part: (at: number) => Question, { first, last, held }: Parts) {
  const near = [first, last];
  const [even, odd] = [near.find((at) => at % 2 === 0), near.find((at) => at % 2 === 1)];
  const apart = held === undefined || near.includes(held) ? undefined : held;
  const ask = (at: number | undefined) => (at === undefined ? skipToken : part(at));
  const evens = usePart(ask(even));
  const odds = usePart(ask(odd));
  const third = usePart(ask(apart));
  const [head, other] = first % 2 === 0 ? [evens, odds] : [odds, evens];
  const known = new Map<number | undefined, Page | undefined>([
    [apart, third.currentData],
    [odd, odds.currentData],
    [even, evens.currentData],
  ]);
  // How many there are is known from whichever was there before.
  return { answer: { ...head, data: head.data ?? other.data }, known };
}

/** The parts of a page that are near the screen. */
export function useSites(which: Which, { page, size }: { page: number; size: number }, parts: Parts) {
  const start = (page - 1) * size;
  const part = (at: number): Question => ({
    ...which,
    limit: Math.min(size, partSize),
    offset: start + at * partSize,
  });
  const { answer, known } = useParts(part, isLong(size) ? parts : noParts);
  const ids = useIds(isLong(size) ? { ...which, limit: size, offset: start } : skipToken);
  const { data } = answer;
  const total = data?.total ?? 0;
  return {
    answer: useListed(answer, failed),
    count: Math.max(0, Math.min(size, total - start)),
    rowAt: (row: number): SiteItem | undefined => (isLong(size) ? known.get(partAt(row)) : data)?.items[row % partSize],
    ids: isLong(size) ? ids.currentData?.ids : data?.items.map(({ id }) => id),
  };
}
