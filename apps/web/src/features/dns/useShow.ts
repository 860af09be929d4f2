import { useNavigate } from '@tanstack/react-router';
import { changeSearch } from '../../kit/list/changeSearch';
import type { Change, ZonesSearch } from './search';

/** The address holds what the page shows. Tabs, zones and panels add a history entry; filters and forms do not. */
export function useShow(): Change {
  const navigate = useNavigate();
  return (change, options) => void navigate({ to: '/cloudflare', ...changeSearch<ZonesSearch>(change, options) });
}
