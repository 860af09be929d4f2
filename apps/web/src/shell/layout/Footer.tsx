import { Group, Text } from '@mantine/core';
import type { Readiness } from '@vigie/contracts/health';
import { copyrightOf, useBrand, version } from '../../ui/brand';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import { type Connection, useConnection } from '../../kit/query/connection';
import { readinessApi } from '../../kit/query/readiness';
import type { LostState } from '../../kit/query/LostReads';
import { useLostReads } from '../../kit/query/recovery';
import styles from './layout.module.css';

type ConnectionStatus = { tone: 'ok' | 'warn' | 'danger'; word: string };

/** «Connecté» never stands beside something that could not be read for want of a response. */
function connectionStatus(connection: Connection, lostReads: LostState, readiness?: Readiness): ConnectionStatus {
  if (connection === 'offline') return { tone: 'danger', word: 'Hors ligne' };
  if (connection === 'unreachable') return { tone: 'danger', word: 'Injoignable' };
  if (readiness?.ready === false) {
    const away = Object.entries(readiness.services).flatMap(([name, isUp]) => (isUp ? [] : [name]));
    return { tone: 'warn', word: ['Service interrompu', away.join(', ')].filter(Boolean).join('\u00a0: ') };
  }
  if (connection === 'doubtful' || lostReads === 'unstable') return { tone: 'warn', word: 'Connexion instable' };
  return { tone: 'ok', word: 'Connecté' };
}

export function Footer() {
  const brand = useBrand();
  const { data } = readinessApi.endpoints.readiness.useQueryState();
  const { tone, word } = connectionStatus(useConnection(), useLostReads(), data);
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
