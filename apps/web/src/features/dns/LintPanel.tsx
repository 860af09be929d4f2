import { Button, Stack, Text } from '@mantine/core';
import type { DnsFinding } from '@vigie/contracts/dns-lint';
import type { DnsZone } from '@vigie/contracts/dns-zones';
import { CircleCheck, CloudOff } from 'lucide-react';
import { failureReason } from '../../kit/query/failures';
import { EmptyState } from '../../ui/EmptyState';
import { Lines } from '../../ui/Lines';
import { withDe } from '@vigie/contracts/french';
import { SidePanel } from '../../kit/dialog/SidePanel';
import { Skeleton } from '../../ui/Skeleton';
import { Status, type Tone } from '../../ui/Status';
import { recordsApi } from './records.api';
import { type Change, unfiltered } from './search';
import styles from './dns.module.css';

const severities: Readonly<Record<DnsFinding['severity'], { tone: Tone; word: string }>> = {
  error: { tone: 'danger', word: 'Erreur' },
  warning: { tone: 'warn', word: 'Attention' },
  info: { tone: 'neutral', word: 'À savoir' },
};

type Props = { zone: DnsZone; show: Change };

function Finding({ finding, onOpen }: { finding: DnsFinding; onOpen: (record: string, name: string) => void }) {
  const { tone, word } = severities[finding.severity];
  const [first] = finding.record_ids;
  return (
    <Stack component="li" gap={2} align="flex-start" py={8} style={{ overflowWrap: 'anywhere' }}>
      <p>
        <strong>{finding.name}</strong>
      </p>
      <Status tone={tone}>{word}</Status>
      <p>{finding.message}</p>
      {finding.remedy !== null && <Text variant="note">{finding.remedy}</Text>}
      {first !== undefined && (
        <button type="button" className={styles['open']} onClick={() => onOpen(first, finding.name)}>
          Voir l’enregistrement
        </button>
      )}
    </Stack>
  );
}

/** Lists the mistakes in a zone that break its mail or its names. */
export function LintPanel({ zone, show }: Props) {
  const { data, error, isFetching, refetch } = recordsApi.useLintQuery(
    { zone_id: zone.ref },
    { refetchOnMountOrArgChange: true },
  );
  // The search by name finds the record on any page; records of the apex are on the first page.
  const open = (record: string, name: string) =>
    show({ ...unfiltered, record, q: name === '@' ? undefined : name }, { isStep: true });
  return (
    <SidePanel
      title={`Vérification ${withDe(zone.display_name)}`}
      onClose={() => show({ side: undefined })}
      foot={
        <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
          Vérifier de nouveau
        </Button>
      }
    >
      <Stack gap={12} p="16px var(--gutter) 24px">
        {!data && error && !isFetching && (
          <EmptyState icon={CloudOff} role="alert" title={failureReason(error, 'Failed to check zone')} />
        )}
        {!data && (isFetching || !error) && <Skeleton rows={4} height={72} />}
        {data?.findings.length === 0 && <NoFindings />}
        <Lines aria-label="Constats">
          {data?.findings.map((finding) => (
            <Finding
              key={`${finding.rule} ${finding.name} ${finding.record_ids.join()}`}
              finding={finding}
              onOpen={open}
            />
          ))}
        </Lines>
      </Stack>
    </SidePanel>
  );
}

const NoFindings = () => (
  <EmptyState icon={CircleCheck} title="Rien à signaler.">
    <p>SPF, DKIM, DMARC, MX et doublons ont été vérifiés.</p>
  </EmptyState>
);
