import { Group, Text } from '@mantine/core';
import type { Readiness } from '@vigie/contracts/health';
import { healthApi } from '../../features/health/health.api';
import { copyrightOf, useBrand, version } from '../../ui/brand';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import { type Connection, useConnection } from '../../kit/query/connection';
import styles from './layout.module.css';

const idlePollMs = 30_000;
const retryPollMs = 5_000;

type ConnectionStatus = { tone: 'ok' | 'warn' | 'danger'; word: string };

function connectionStatus(connection: Connection, readiness: Readiness | undefined): ConnectionStatus {
  if (connection === 'offline') return { tone: 'danger', word: 'Hors ligne' };
  if (connection === 'unreachable') return { tone: 'danger', word: 'Injoignable' };
  if (readiness === undefined || readiness.ready) return { tone: 'ok', word: 'Connecté' };
  const unavailable = Object.entries(readiness.services).flatMap(([name, isUp]) => (isUp ? [] : [name]));
  return {
    tone: 'warn',
    word: unavailable.length > 0 ? `Service interrompu\u00a0: ${unavailable.join(', ')}` : 'Service interrompu',
  };
}

export function Footer() {
  const brand = useBrand();
  const connection = useConnection();
  const { data } = healthApi.useReadinessQuery(undefined, {
    pollingInterval: connection === 'online' ? idlePollMs : retryPollMs,
    skipPollingIfUnfocused: true,
  });
  const { tone, word } = connectionStatus(connection, data);
  return (
    <Group
      component="footer"
      justify="space-between"
      wrap="nowrap"
      h="var(--footer)"
      px="var(--gutter)"
      c="subtle"
      fz={12}
      lh="16px"
      className={styles['footer']}
    >
      <p>
        {copyrightOf(brand)}
        <Text span ml={8}>
          {version}
        </Text>
      </p>
      <Group component="output" gap={6} wrap="nowrap" miw={0} c={tone === 'ok' ? undefined : tone}>
        <span className={styles['dot']} data-tone={tone} aria-hidden />
        <VisuallyHidden>{'Connexion\u00a0: '}</VisuallyHidden>
        <Text span truncate>
          {word}
        </Text>
      </Group>
    </Group>
  );
}
