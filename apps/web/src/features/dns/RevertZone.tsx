import type { DnsZone } from '@vigie/contracts/dns-zones';
import { ChangesDialog } from './ChangesDialog';
import { historyApi } from './records.api';
import { useApplied } from './useApplied';

type Props = { zone: DnsZone; snapshot: string; onDone: () => void; onClose: () => void };

/** Back to what was: what that would change now, then only that. */
export function RevertZone({ zone, snapshot, onDone, onClose }: Props) {
  const named = { zone: zone.ref, snapshot };
  const { currentData, error, isFetching, refetch } = historyApi.useSnapshotQuery(
    { ...named, against: 'current' },
    { refetchOnMountOrArgChange: true },
  );
  const [revert, { isLoading }] = historyApi.useRevertZoneMutation();
  const { result, failure, apply } = useApplied('Failed to revert zone', { onDone, onChanged: () => void refetch() });
  return (
    <ChangesDialog
      title={`Revenir à un état de ${zone.display_name}`}
      zone={zone.name}
      answer={{ data: currentData, error, isLoading: isFetching && !isLoading }}
      action="Revenir à cet état"
      isSending={isLoading}
      failure={failure}
      result={result}
      onRetry={() => void refetch()}
      onApply={() => void apply(() => revert({ ...named, version: currentData?.version ?? null }))}
      onClose={onClose}
    >
      <p>Ce retour est lui-même gardé dans l’historique.</p>
    </ChangesDialog>
  );
}
