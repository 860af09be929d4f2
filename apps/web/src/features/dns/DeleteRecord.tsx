import type { DnsRecord, RecordConflict } from '@vigie/contracts/dns-records';
import type { DnsZone } from '@vigie/contracts/dns-zones';
import { useState } from 'react';
import { reasonOf } from '../../app/failed';
import { tellFailure } from '../../app/tellFailure';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { Skeleton } from '../../ui/Skeleton';
import { toast } from '../../ui/toasts';
import { bulkDeletions } from './bulk';
import { Differences } from './Differences';
import { conflictOf } from './differences';
import { changesApi, recordsApi } from './records.api';
import { Versions } from './Versions';

const failed = 'Failed to delete record';

/** What goes, and what is worth knowing about that; asked for as soon as somebody thinks of it. */
function Goes({ zone, record }: { zone: DnsZone; record: DnsRecord }) {
  const { currentData, error, isFetching } = changesApi.usePreviewChangesQuery(
    { zone: zone.ref, changes: bulkDeletions([record]) },
    { refetchOnMountOrArgChange: true },
  );
  if (isFetching) return <Skeleton rows={1} />;
  if (error) return <p role="alert">{reasonOf(error, failed)}</p>;
  return (
    currentData && <Differences differences={currentData.differences} leftOut={currentData.left_out} zone={zone.name} />
  );
}

type Props = { zone: DnsZone; record: DnsRecord; onClose: () => void };

/** Asks once; and once more, showing what is there now, when it is no longer what was seen. */
export function DeleteRecord({ zone, record, onClose }: Props) {
  const [remove, { isLoading }] = recordsApi.useDeleteRecordMutation();
  const [conflict, setConflict] = useState<RecordConflict>();
  const [failure, setFailure] = useState<string>();
  const confirm = async () => {
    setFailure(undefined);
    const { version } = conflict?.current ?? record;
    const { error } = await remove({ zone: zone.ref, record: record.id, expected: version });
    const changed = conflictOf(error);
    if (changed?.current) return setConflict(changed);
    // Somebody else deleted it: what was asked for is so.
    if (error && !changed) return setFailure(tellFailure(error, failed));
    toast.success('Enregistrement supprimé.');
    onClose();
  };
  const name = `${record.type} ${record.display_name}`;
  return (
    <ConfirmDialog
      // Another question: the focus starts on the way out again.
      key={conflict?.current?.version ?? 'first'}
      title={conflict ? `${name} a changé entre-temps` : `Supprimer ${name}\u202f?`}
      action={conflict ? 'Supprimer quand même' : 'Supprimer'}
      isBusy={isLoading}
      failure={failure}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      {conflict ? (
        <Versions conflict={conflict} seen={record} zone={zone.name} />
      ) : (
        <>
          <Goes zone={zone} record={record} />
          <p>L’historique de la zone permet d’y revenir.</p>
        </>
      )}
    </ConfirmDialog>
  );
}
