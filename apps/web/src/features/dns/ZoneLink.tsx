import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { unfiltered, type ZonesSearch } from './search';

type Props = { zoneId: string; className: string | undefined; children: ReactNode };

/** A link rather than a button, so that the records can open in another browser tab. */
export const ZoneLink = ({ zoneId, className, children }: Props) => (
  <Link
    to="/cloudflare"
    search={(search: ZonesSearch) => ({ ...search, ...unfiltered, tab: 'dns' as const, zone: zoneId })}
    className={className ?? ''}
  >
    {children}
  </Link>
);
