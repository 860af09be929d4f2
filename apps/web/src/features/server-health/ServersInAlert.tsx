import { Link } from '@tanstack/react-router';
import type { HealthAlert, HealthItem } from '@vigie/contracts/server-health';
import { CircleCheck } from 'lucide-react';
import { formatAlert } from '../../kit/words/alerts';
import { EmptyState } from '../../ui/EmptyState';
import { plural } from '../../ui/plural';
import { RefreshButton } from '../../ui/RefreshButton';
import { Status } from '../../ui/Status';
import { TimeAgo } from '../../ui/TimeAgo';
import { Widget } from '../../ui/Widget';
import styles from './ServersInAlert.module.css';
import type { HealthSearch } from './search';
import type { Health, HealthParams } from './server-health.api';
import { healthParams, useMeasureAgain, useServerHealth } from './useServerHealth';

const maxServers = 20;
const alertParams: HealthParams = { sort: 'name', limit: maxServers, offset: 0, in_alert: '1' };

const Alert = ({ alert }: { alert: HealthAlert }) => (
  <li className={styles['alert']}>
    <Status tone="danger">{formatAlert(alert)}</Status>
    <span className={styles['since']}>
      depuis <TimeAgo at={alert.since} />
    </span>
  </li>
);

function ServerLine({ item }: { item: HealthItem }) {
  return (
    <li className={styles['line']}>
      <Link to="/servers" search={{ open: item.id }} className={styles['name'] ?? ''}>
        {item.name}
      </Link>
      <span className={styles['host']}>{item.host}</span>
      <ul className={styles['alerts']}>
        {item.alerts.map((alert) => (
          <Alert key={alert.kind} alert={alert} />
        ))}
      </ul>
    </li>
  );
}

function AlertsList({ items, alerts_total: total }: Health) {
  if (total === 0) return <EmptyState icon={CircleCheck} title="Aucun serveur en alerte." />;
  return (
    <>
      <ul className={styles['lines']}>
        {items.map((item) => (
          <ServerLine key={item.id} item={item} />
        ))}
      </ul>
      {total > items.length && (
        <p className={styles['more']}>
          <Link
            to="/"
            hash="server-health"
            search={(current: HealthSearch) => ({ ...current, alert: true as const, page: undefined })}
          >
            {`Voir les ${plural(total, 'serveur en alerte', 'serveurs en alerte')}`}
          </Link>
        </p>
      )}
    </>
  );
}

/** Refreshing the alerts also measures the servers in the table below. */
export function ServersInAlert({ search }: { search: HealthSearch }) {
  const { answer, sentence } = useServerHealth(alertParams);
  const { data } = answer;
  const { isBusy, failure, refresh } = useMeasureAgain([alertParams, healthParams(search)]);
  return (
    <Widget
      id="alerts"
      title={`Serveurs en alerte${data ? ` (${data.alerts_total})` : ''}`}
      answer={failure === undefined ? answer : { ...answer, isFetching: isBusy, refetch: refresh }}
      sentence={sentence ?? failure}
      tools={
        <RefreshButton isBusy={isBusy} run={refresh}>
          Actualiser les alertes
        </RefreshButton>
      }
    >
      {data && <AlertsList {...data} />}
    </Widget>
  );
}
