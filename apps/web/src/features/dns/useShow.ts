import { useNavigate } from '@tanstack/react-router';
import type { Change, ZonesSearch } from './search';

/** What is shown follows the address. A tab, a zone and a panel are a step back; a filter and a form are none. */
export function useShow(): Change {
  const navigate = useNavigate();
  return (change, { isStep = false, isSaved = false } = {}) =>
    void navigate({
      to: '/cloudflare',
      search: (shown: ZonesSearch) => ({ ...shown, ...change }),
      replace: !isStep,
      resetScroll: false,
      // What was typed is saved: there is nothing to ask about.
      ignoreBlocker: isSaved,
    });
}
