import { Button, Stack, Text } from '@mantine/core';
import { skipToken } from '@reduxjs/toolkit/query';
import type { DnsSnapshot } from '@vigie/contracts/dns-history';
import type { DnsZone } from '@vigie/contracts/dns-zones';
import { History } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { SidePanel } from '../../kit/dialog/SidePanel';
import { failureReason } from '../../kit/query/failures';
import { ReadFailed } from '../../ui/ReadFailed';
import { EmptyState } from '../../ui/EmptyState';
import { useFocusHandOver } from '../../ui/focus';
import { Lines } from '../../ui/Lines';
import { withDe } from '@vigie/contracts/french';
import { plural } from '../../ui/plural';
import { Skeleton } from '../../ui/Skeleton';
import { Status } from '../../ui/Status';
import { TimeAgo } from '../../ui/TimeAgo';
import { ChangesDialog, useApplyChanges } from './ChangesDialog';
import { Differences } from './Differences';
import styles from './dns.module.css';
import { historyApi, type SnapshotDetail } from './records.api';
import type { Change } from './search';
import { originOf, spellCounts } from './words';

type Props = { zone: DnsZone; snapshot: string | undefined; show: Change };

function SnapshotLine({ snapshot, onOpen }: { snapshot: DnsSnapshot; onOpen: () => void }) {
  return (
    <Stack component="li" gap={2} align="flex-start" py={8}>
      <button type="button" className={styles['open']} onClick={onOpen}>
        {originOf(snapshot)}
      </button>
      <Text variant="note">
        <TimeAgo at={snapshot.at} />
        {` · ${spellCounts(snapshot.counts)} · ${plural(snapshot.total, 'enregistrement', 'enregistrements')}`}
      </Text>
      {snapshot.is_drift && <Status tone="warn">Modifié hors de Vigie</Status>}
    </Stack>
  );
}

function SnapshotsList({ zone, show }: Pick<Props, 'zone' | 'show'>) {
  const { data, error, isFetching, hasNextPage, refetch, fetchNextPage } = historyApi.useSnapshotsInfiniteQuery(
    { zone_id: zone.ref },
    { refetchOnMountOrArgChange: true },
  );
  if (!data) return <Pending error={error} isFetching={isFetching} retry={() => void refetch()} />;
  const items = data.pages.flatMap((page) => page.items);
  if (items.length === 0) {
    return (
      <EmptyState icon={History} title="L’historique est vide pour l’instant.">
        <p>Chaque changement de la zone apparaîtra ici, et vous pourrez revenir en arrière.</p>
      </EmptyState>
    );
  }
  return (
    <>
      <Lines component="ol" aria-label="Historique">
        {items.map((snapshot) => (
          <SnapshotLine
            key={snapshot.id}
            snapshot={snapshot}
            onOpen={() => show({ snapshot: snapshot.id }, { isStep: true })}
          />
        ))}
      </Lines>
      {hasNextPage && (
        <Button variant="default" loading={isFetching} onClick={() => void fetchNextPage()}>
          Voir plus
        </Button>
      )}
    </>
  );
}

type PendingProps = { error: unknown; isFetching: boolean; retry: () => void };

const Pending = ({ error, isFetching, retry }: PendingProps) =>
  error && !isFetching ? (
    <ReadFailed sentence={failureReason(error, 'Failed to load history')} onRetry={retry} />
  ) : (
    <Skeleton rows={4} height={56} />
  );

function SnapshotChanges({ zone, detail, onRevert }: { zone: DnsZone; detail: SnapshotDetail; onRevert: () => void }) {
  const { snapshot, differences, left_out: leftOut } = detail;
  return (
    <>
      <p>{originOf(snapshot)}</p>
      <Text variant="note">
        <TimeAgo at={snapshot.at} />
        {` · ${plural(snapshot.total, 'enregistrement', 'enregistrements')}`}
      </Text>
      {differences.length > 0 ? (
        <Differences differences={differences} leftOut={leftOut} zoneName={zone.name} />
      ) : (
        <Text variant="note">
          {snapshot.reason === 'first'
            ? 'C’est le premier état lu par Vigie\u00a0: il n’y a rien à quoi le comparer.'
            : 'Aucun changement depuis l’état précédent.'}
        </Text>
      )}
      <Button variant="default" leftSection={<History size={16} aria-hidden />} onClick={onRevert}>
        Revenir à cet état…
      </Button>
    </>
  );
}

function Snapshot({ zone, snapshot, show }: Props) {
  const [isReverting, setReverting] = useState(false);
  const { currentData, error, isFetching, refetch } = historyApi.useSnapshotQuery(
    snapshot === undefined ? skipToken : { zone_id: zone.ref, snapshot_id: snapshot, against: 'previous' },
  );
  return (
    <>
      <div>
        <Button variant="default" onClick={() => show({ snapshot: undefined })}>
          Tout l’historique
        </Button>
      </div>
      {currentData ? (
        <SnapshotChanges zone={zone} detail={currentData} onRevert={() => setReverting(true)} />
      ) : (
        <Pending error={error} isFetching={isFetching} retry={() => void refetch()} />
      )}
      {isReverting && snapshot !== undefined && (
        <RevertZone
          zone={zone}
          snapshot={snapshot}
          onDone={() => show({ snapshot: undefined })}
          onClose={() => setReverting(false)}
        />
      )}
    </>
  );
}

/** Moves the focus to the panel when the list replaces a snapshot, or a snapshot the list. */
function FocusedPart({ children }: { children: ReactNode }) {
  const part = useFocusHandOver<HTMLDivElement>('[role=dialog]');
  return (
    <Stack ref={part} gap={12} p="16px var(--gutter) 24px">
      {children}
    </Stack>
  );
}

/** Lists the snapshots of a zone; each can be restored. */
export const HistoryPanel = ({ zone, snapshot, show }: Props) => (
  <SidePanel
    title={`Historique ${withDe(zone.display_name)}`}
    onClose={() => show({ side: undefined, snapshot: undefined })}
  >
    <FocusedPart key={snapshot}>
      {snapshot === undefined ? (
        <SnapshotsList zone={zone} show={show} />
      ) : (
        <Snapshot zone={zone} snapshot={snapshot} show={show} />
      )}
    </FocusedPart>
  </SidePanel>
);

type RevertZoneProps = { zone: DnsZone; snapshot: string; onDone: () => void; onClose: () => void };

/** Reverts a zone to a snapshot, after a preview of the changes. */
function RevertZone({ zone, snapshot, onDone, onClose }: RevertZoneProps) {
  const target = { zone_id: zone.ref, snapshot_id: snapshot };
  const { currentData, error, isFetching, refetch } = historyApi.useSnapshotQuery(
    { ...target, against: 'current' },
    { refetchOnMountOrArgChange: true },
  );
  const [revert, call] = historyApi.useRevertZoneMutation();
  const { result, apply } = useApplyChanges(revert, {
    onDone,
    onZoneChanged: () => void refetch(),
  });
  return (
    <ChangesDialog
      title={`Revenir à un état de ${zone.display_name}`}
      zoneName={zone.name}
      answer={{ data: currentData, error, isLoading: isFetching && !call.isLoading }}
      action="Revenir à cet état"
      call={call}
      result={result}
      onRetry={() => void refetch()}
      onApply={() => apply({ ...target, expected_zone: currentData?.version ?? undefined })}
      onClose={onClose}
    >
      <p>Vous pourrez aussi annuler ce retour depuis l’historique.</p>
    </ChangesDialog>
  );
}
