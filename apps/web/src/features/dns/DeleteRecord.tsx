import type { DnsRecord, RecordConflict } from '@vigie/contracts/dns-records';
import type { DnsZone } from '@vigie/contracts/dns-zones';
import { useState } from 'react';
import { failureReason } from '../../kit/query/failures';
import { ConfirmDialog } from '../../kit/dialog/ConfirmDialog';
import { Skeleton } from '../../ui/Skeleton';
import { toast } from '../../ui/toasts';
import { bulkDeletions } from './bulk';
import { Differences } from './Differences';
import { conflictOf } from './differences';
import { deleteFailed, recordsApi } from './records.api';
import { Versions } from './Versions';

/** Shows the record to delete, with the warnings of the server. */
function DeletionPreview({ zone, record }: { zone: DnsZone; record: DnsRecord }) {
  const { currentData, error, isFetching } = recordsApi.usePreviewChangesQuery(
    { zone_id: zone.ref, changes: bulkDeletions([record]) },
    { refetchOnMountOrArgChange: true },
  );
  if (isFetching) return <Skeleton rows={1} />;
  if (error) return <p role="alert">{failureReason(error, deleteFailed)}</p>;
  return (
    currentData && (
      <Differences differences={currentData.differences} leftOut={currentData.left_out} zoneName={zone.name} />
    )
  );
}

type Props = { zone: DnsZone; record: DnsRecord; onClose: () => void };

/** Asks a second time, with both versions, when the record has changed since it was loaded. */
export function DeleteRecord({ zone, record, onClose }: Props) {
  const [remove, call] = recordsApi.useDeleteRecordMutation();
  const [conflict, setConflict] = useState<RecordConflict>();
  const confirm = async () => {
    const { version } = conflict?.current ?? record;
    const { error } = await remove({ zone_id: zone.ref, record_id: record.id, expected: version });
    const newConflict = conflictOf(error);
    if (newConflict?.current) return setConflict(newConflict);
    // Without a current version the record is already deleted.
    if (error && !newConflict) return;
    toast.success('Enregistrement supprimé.');
    onClose();
  };
  const name = `${record.type} ${record.display_name}`;
  return (
    <ConfirmDialog
      // A new key mounts the dialog again, so that the focus starts on Cancel for the second question too.
      key={conflict?.current?.version ?? 'first'}
      title={conflict ? `${name} a changé entre-temps` : `Supprimer ${name}\u202f?`}
      action={conflict ? 'Supprimer quand même' : 'Supprimer'}
      call={call}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      {conflict ? (
        <Versions conflict={conflict} loaded={record} zoneName={zone.name} />
      ) : (
        <>
          <DeletionPreview zone={zone} record={record} />
          <p>Vous pourrez revenir en arrière depuis l’historique de la zone.</p>
        </>
      )}
    </ConfirmDialog>
  );
}
