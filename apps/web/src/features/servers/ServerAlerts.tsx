import { Text } from '@mantine/core';
import type { ServerStatus } from '@vigie/contracts/servers';
import { explainAlert } from '../../kit/words/alerts';
import { Callout } from '../../ui/Callout';
import { Since } from '../../ui/TimeAgo';
import { reasonOf } from './words';

/** Which thresholds are passed, by how much and since when, and why the server does not answer. */
export function ServerAlerts({ status }: { status: ServerStatus }) {
  const { alerts } = status;
  const reason = reasonOf(status);
  if (alerts.length === 0 && reason === undefined) return null;
  return (
    <Callout tone="danger">
      <ul aria-label="Alertes">
        {alerts.map((alert) => (
          <li key={alert.kind}>
            {explainAlert(alert)}, <Since at={alert.since} />
          </li>
        ))}
      </ul>
      {reason !== undefined && (
        <Text c="var(--text)" fw={400}>
          {reason}
        </Text>
      )}
    </Callout>
  );
}
