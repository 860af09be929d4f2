import type { PublicOutage, PublicStatus } from '@vigie/contracts/status-pages';
import { useNow } from '../../ui/useNow';
import styles from './status-pages.module.css';
import { outagePeriod, outageTitle } from './words';

const minuteMs = 60_000;

type LineProps = { outage: PublicOutage; now: Date };

const Line = ({ outage, now }: LineProps) => (
  <li className={styles['outage']} data-open={outage.to === null || undefined}>
    <p>{outageTitle(outage)}</p>
    <p className={styles['when']}>{outagePeriod(outage, now)}</p>
  </li>
);

/** The outages of the last 90 days, where the page shows them. */
export function PublicOutages({ outages }: Pick<PublicStatus, 'outages'>) {
  const now = useNow(minuteMs);
  if (outages === null) return null;
  return (
    <section aria-labelledby="pannes">
      <h2 id="pannes">Pannes des 90 derniers jours</h2>
      {outages.length === 0 ? (
        <p className={styles['note']}>Aucune panne.</p>
      ) : (
        <ul className={styles['card']}>
          {outages.map((outage) => (
            <Line key={`${outage.from} ${outage.sites[0]}`} outage={outage} now={now} />
          ))}
        </ul>
      )}
    </section>
  );
}
