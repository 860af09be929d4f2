import { useNavigate } from '@tanstack/react-router';
import { showing } from '../../app/showing';
import type { Change, ZonesSearch } from './search';

/** What is shown follows the address. A tab, a zone and a panel are a step back; a filter and a form are none. */
export function useShow(): Change {
  const navigate = useNavigate();
  return (change, options) => void navigate({ to: '/cloudflare', ...showing<ZonesSearch>(change, options) });
}
