import type { DnsZone } from '@vigie/contracts/dns-zones';
import { ChangesDialog } from './ChangesDialog';
import { historyApi } from './records.api';
import { useApplyChanges } from './useApplyChanges';

type Props = { zone: DnsZone; snapshot: string; onDone: () => void; onClose: () => void };

/** Reverts a zone to a snapshot, after a preview of the changes. */
export function RevertZone({ zone, snapshot, onDone, onClose }: Props) {
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
