import { Link } from '@tanstack/react-router';
import type { ActivityItem } from '@vigie/contracts/activity';
import type { ReactNode } from 'react';
import { withJobParam } from '../../app/withJobParam';
import { Hidden } from '../../ui/Hidden';
import { Status } from '../../ui/Status';
import { When } from '../../ui/When';
import { ActivityBadge } from './ActivityBadge';
import styles from './ActivityLine.module.css';
import { deedOf, endOf, placeOf } from './words';

/** The time of an event, as a link to its job if it has one. */
export function At({ at, job }: { at: string; job: string | null }) {
  if (job === null) return <When at={at} />;
  return (
    <Link to="." search={withJobParam(job)} resetScroll={false} className={styles['link'] ?? ''}>
      <Hidden>Voir la tâche, </Hidden>
      <When at={at} />
    </Link>
  );
}

function Place({ item, children }: { item: ActivityItem; children: ReactNode }) {
  const place = placeOf(item);
  const className = styles['link'] ?? '';
  if (!place) return children;
  if ('server' in place) {
    return (
      <Link to="/servers" search={{ open: place.server }} className={className}>
        {children}
      </Link>
    );
  }
  return (
    <Link to="/sites/$siteId" params={{ siteId: place.site }} className={className}>
      {children}
    </Link>
  );
}

export function ActivityLine({ item }: { item: ActivityItem }) {
  const { actor, deed, target, change, place, reason } = deedOf(item);
  const end = endOf(item);
  return (
    <div className={styles['line']}>
      <div className={styles['what']}>
        <p>
          <strong>{actor}</strong> {deed}{' '}
          {target &&
            (place === '' ? (
              <Place item={item}>
                <strong>{target}</strong>
              </Place>
            ) : (
              <strong>{target}</strong>
            ))}{' '}
          {change}{' '}
          {place && (
            <>
              sur <Place item={item}>{place}</Place>
            </>
          )}
        </p>
        {reason && <p className={styles['reason']}>{reason}</p>}
      </div>
      <div className={styles['facts']}>
        <ActivityBadge type={item.type} />
        {end && <Status tone={end.tone}>{end.word}</Status>}
        <At at={item.created_at} job={item.job_id} />
      </div>
    </div>
  );
}
