import { useEffect, useEffectEvent } from 'react';

/** The last of a page was deleted, or the link is an old one: the last page there is takes its place. */
export function useExistingPage(page: number, last: number | undefined, goTo: (page: number) => void): void {
  const goBack = useEffectEvent(() => {
    if (last !== undefined) goTo(last);
  });
  const isBeyond = last !== undefined && page > last;
  useEffect(() => {
    if (isBeyond) goBack();
  }, [isBeyond]);
}
