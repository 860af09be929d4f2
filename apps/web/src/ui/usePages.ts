import { useEffect, useEffectEvent } from 'react';

type Pages = { page: number | undefined; size: number; total: number | undefined };

/**
 * Leads to a page of a list; the first has no number in the address. Where the last of a page was deleted, or the link is an old
 * one, the last page there is takes its place.
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
