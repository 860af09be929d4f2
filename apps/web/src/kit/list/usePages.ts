import { useEffect, useEffectEvent } from 'react';

type Pages = { page: number | undefined; size: number; total: number | undefined };

/**
 * Changes the page of a list; the first has no number in the address. A page beyond the end, from an old link or after a
 * deletion, becomes the last one.
 */
export function usePages({ page = 1, size, total }: Pages, onChange: (page: number | undefined) => void) {
  const last = total === undefined ? page : Math.max(1, Math.ceil(total / size));
  const goTo = (next: number): void => onChange(next > 1 ? next : undefined);
  const goBack = useEffectEvent(() => goTo(last));
  const isBeyond = page > last;
  useEffect(() => {
    if (isBeyond) goBack();
  }, [isBeyond]);
  return goTo;
}

type Answer<P> = { data?: P | undefined; currentData?: P | undefined; isFetching: boolean };

/** While the next page loads, the previous rows stay, but not an empty result. */
export const pageToShow = <P extends { total: number }>({ data, currentData, isFetching }: Answer<P>): P | undefined =>
  isFetching && !currentData && data?.total === 0 ? undefined : data;
