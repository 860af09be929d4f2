import { Group } from '@mantine/core';
import { skipToken } from '@reduxjs/toolkit/query';
import type { DnsRecord, RecordConflict } from '@vigie/contracts/dns-records';
import type { DnsZone } from '@vigie/contracts/dns-zones';
import { useMemo, useState } from 'react';
import { ConfirmDialog } from '../../kit/dialog/ConfirmDialog';
import { failureReason } from '../../kit/query/failures';
import { plural } from '../../ui/plural';
import { SelectField } from '../../ui/SelectField';
import { Skeleton } from '../../ui/Skeleton';
import { toast } from '../../ui/toasts';
import { type BulkValues, bulkDeletions, bulkEdits, ttlValues, unchangedValues, withoutExpectedVersions } from './bulk';
import { ChangesDialog, useApplyChanges } from './ChangesDialog';
import { Differences } from './Differences';
import { conflictOf } from './differences';
import { type Change, deleteFailed, recordsApi } from './records.api';
import { Versions } from './Versions';
import { spellTtl } from './words';

type Props = { zone: DnsZone; records: readonly DnsRecord[]; onDone: () => void; onClose: () => void };

const noChanges = { differences: [], left_out: 0 };

/** Previews the changes, and applies them only to the version of the zone that the preview showed. */
function useBulk({ zone, onDone }: Pick<Props, 'zone' | 'onDone'>, changes: readonly Change[]) {
  const isEmpty = changes.length === 0;
  const { currentData, error, isFetching, refetch } = recordsApi.usePreviewChangesQuery(
    isEmpty ? skipToken : { zone_id: zone.ref, changes },
    { refetchOnMountOrArgChange: true },
  );
  const [send, call] = recordsApi.useApplyChangesMutation();
  const { result, apply } = useApplyChanges(send, { onDone, onZoneChanged: () => void refetch() });
  const run = () => {
    if (!currentData) return;
    apply({ zone_id: zone.ref, changes: withoutExpectedVersions(changes), expected_zone: currentData.version });
  };
  return {
    answer: isEmpty ? { data: noChanges, isLoading: false } : { data: currentData, error, isLoading: isFetching },
    result,
    call,
    onRetry: () => void refetch(),
    onApply: run,
  };
}

/** Gives many records the same TTL or the same proxy setting. */
export function BulkEdit({ zone, records, onDone, onClose }: Props) {
  const [values, setValues] = useState<BulkValues>(unchangedValues);
  const changes = useMemo(() => bulkEdits(records, values), [records, values]);
  const bulk = useBulk({ zone, onDone }, changes);
  return (
    <ChangesDialog
      {...bulk}
      title={`Modifier ${plural(records.length, 'enregistrement', 'enregistrements')}`}
      zoneName={zone.name}
      action="Enregistrer"
      onClose={onClose}
    >
      <Group align="flex-start" gap={12}>
        <SelectField
          label="TTL"
          name="ttl"
          data={[
            { value: '', label: 'Ne pas changer' },
            ...ttlValues.map((value) => ({ value, label: spellTtl(Number(value)) })),
          ]}
          value={values.ttl}
          onChange={(event) => setValues({ ...values, ttl: event.currentTarget.value })}
        />
        <SelectField
          label="Proxy"
          name="proxied"
          data={[
            { value: '', label: 'Ne pas changer' },
            { value: 'on', label: 'Par Cloudflare' },
            { value: 'off', label: 'DNS seulement' },
          ]}
          value={values.proxied}
          onChange={({ currentTarget: { value } }) =>
            setValues({ ...values, proxied: value === 'on' || value === 'off' ? value : '' })
          }
        />
      </Group>
    </ChangesDialog>
  );
}

export function BulkDelete({ zone, records, onDone, onClose }: Props) {
  const changes = useMemo(() => bulkDeletions(records), [records]);
  const bulk = useBulk({ zone, onDone }, changes);
  return (
    <ChangesDialog
      {...bulk}
      title={`Supprimer ${plural(records.length, 'enregistrement', 'enregistrements')}\u202f?`}
      zoneName={zone.name}
      action="Supprimer"
      isDangerous
      onClose={onClose}
    >
      <p>Vous pourrez revenir en arrière depuis l’historique de la zone.</p>
    </ChangesDialog>
  );
}

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

type DeleteRecordProps = { zone: DnsZone; record: DnsRecord; onClose: () => void };

/** Asks a second time, with both versions, when the record has changed since it was loaded. */
export function DeleteRecord({ zone, record, onClose }: DeleteRecordProps) {
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
