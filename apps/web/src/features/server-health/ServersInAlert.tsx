import { Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { HealthItem } from '@vigie/contracts/server-health';
import type { HealthAlert } from '@vigie/contracts/server-state';
import { CircleCheck } from 'lucide-react';
import { formatAlert } from '../../kit/words/alerts';
import { healthState } from '../../kit/words/server-state';
import { EmptyState } from '../../ui/EmptyState';
import { Lines } from '../../ui/Lines';
import links from '../../ui/links.module.css';
import { plural } from '../../ui/plural';
import { RefreshButton } from '../../ui/RefreshButton';
import { Status } from '../../ui/Status';
import { Since } from '../../ui/TimeAgo';
import { Widget } from '../../ui/Widget';
import type { HealthSearch } from './search';
import styles from './server-health.module.css';
import type { Health, HealthParams } from './server-health.api';
import { healthParams, useMeasureAgain, useServerHealth } from './useServerHealth';

const maxServers = 20;
const alertParams: HealthParams = { sort: 'name', limit: maxServers, offset: 0, in_alert: '1' };

const Alert = ({ alert }: { alert: HealthAlert }) => (
  <Group component="li" gap="2px 8px">
    <Status tone="danger">{formatAlert(alert)}</Status>
    <Text span fz={12} c="muted">
      <Since at={alert.since} />
    </Text>
  </Group>
);

function ServerLine({ item }: { item: HealthItem }) {
  const state = healthState(item);
  return (
    <Group component="li" align="baseline" gap="4px 12px" p="10px var(--gutter)" className={styles['server'] ?? ''}>
      <Link to="/servers/$serverId" params={{ serverId: item.id }} className={links['name'] ?? ''}>
        {item.name}
      </Link>
      <Text span truncate flex={1} miw={0} fz={13} c="muted">
        {item.host}
      </Text>
      {item.status === 'down' && <Status tone={state.tone}>{state.word}</Status>}
      <Group component="ul" gap="4px 16px" w="100%">
        {item.alerts.map((alert) => (
          <Alert key={alert.kind} alert={alert} />
        ))}
      </Group>
    </Group>
  );
}

function AlertsList({ items, alerts_total: total }: Health) {
  if (total === 0) return <EmptyState icon={CircleCheck} title="Aucun serveur en alerte." />;
  return (
    <>
      <Lines mah={440} style={{ overflowY: 'auto', overscrollBehavior: 'contain' }}>
        {items.map((item) => (
          <ServerLine key={item.id} item={item} />
        ))}
      </Lines>
      {total > items.length && (
        <Text p="6px var(--gutter)" className={styles['more'] ?? ''}>
          <Link
            to="/"
            className={links['inline'] ?? ''}
            hash="server-health"
            search={(current: HealthSearch) => ({ ...current, alert: true as const, page: undefined })}
          >
            {`Voir les ${plural(total, 'serveur en alerte', 'serveurs en alerte')}`}
          </Link>
        </Text>
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
