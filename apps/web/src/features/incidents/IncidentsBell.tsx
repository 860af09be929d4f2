import { Link } from '@tanstack/react-router';
import { Bell } from 'lucide-react';
import { iconButtonClass } from '../../ui/IconButton';
import { formatNumber, plural } from '../../ui/plural';
import styles from './incidents.module.css';
import { useIncidentsQuery } from './useIncidents';

const pollMs = 60_000;
const maxShown = 99;

/** The number of open incidents, in the header of every screen. */
export function IncidentsBell() {
  const { data } = useIncidentsQuery({ state: 'open', limit: 1 }, pollMs);
  const count = data?.total ?? 0;
  const label = count === 0 ? 'Incidents' : `Incidents\u00a0: ${plural(count, 'en cours', 'en cours')}`;
  return (
    <Link to="/incidents" search={{}} aria-label={label} className={iconButtonClass}>
      <Bell size={18} strokeWidth={1.75} aria-hidden />
      {count > 0 && (
        <span aria-hidden className={styles['badge']}>
          {count > maxShown ? `${maxShown}+` : formatNumber(count)}
        </span>
      )}
    </Link>
  );
}
