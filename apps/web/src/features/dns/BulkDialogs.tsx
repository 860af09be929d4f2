import type { DnsRecord } from '@vigie/contracts/dns-records';
import type { DnsZone } from '@vigie/contracts/dns-zones';
import { skipToken } from '@reduxjs/toolkit/query';
import { useMemo, useState } from 'react';
import { useIdempotencyKey } from '../../app/useIdempotencyKey';
import { plural } from '../../ui/plural';
import { SelectField } from '../../ui/SelectField';
import { asSeen, type BulkValues, bulkDeletions, bulkEdits, ttlValues, untouched } from './bulk';
import { ChangesDialog } from './ChangesDialog';
import styles from './RecordEditor.module.css';
import { type Change, changesApi } from './records.api';
import { useApplied } from './useApplied';
import { spellTtl } from './words';

type Props = { zone: DnsZone; records: readonly DnsRecord[]; onDone: () => void; onClose: () => void };

const nothing = { differences: [], left_out: 0 };

/** What these changes would come to, asked again as they change; then only that. */
function useBulk({ zone, onDone }: Pick<Props, 'zone' | 'onDone'>, changes: readonly Change[], failed: string) {
  const isNone = changes.length === 0;
  const { currentData, error, isFetching, refetch } = changesApi.usePreviewChangesQuery(
    isNone ? skipToken : { zone: zone.ref, changes },
    { refetchOnMountOrArgChange: true },
  );
  const [send, { isLoading }] = changesApi.useApplyChangesMutation();
  const { result, failure, apply } = useApplied(failed, { onDone, onChanged: () => void refetch() });
  const { keyFor } = useIdempotencyKey();
  const run = () => {
    if (!currentData) return;
    const form = { zone: zone.ref, changes: asSeen(changes), version: currentData.version };
    void apply(() => send({ ...form, idempotencyKey: keyFor(form) }));
  };
  return {
    answer: isNone ? { data: nothing, isLoading: false } : { data: currentData, error, isLoading: isFetching },
    result,
    failure,
    isSending: isLoading,
    onRetry: () => void refetch(),
    onApply: run,
  };
}

/** The same TTL or the same way for many records. */
export function BulkEdit({ zone, records, onDone, onClose }: Props) {
  const [values, setValues] = useState<BulkValues>(untouched);
  const changes = useMemo(() => bulkEdits(records, values), [records, values]);
  const bulk = useBulk({ zone, onDone }, changes, 'Failed to save record');
  return (
    <ChangesDialog
      {...bulk}
      title={`Modifier ${plural(records.length, 'enregistrement', 'enregistrements')}`}
      zone={zone.name}
      action="Enregistrer"
      onClose={onClose}
    >
      <div className={styles['fields']}>
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
      </div>
    </ChangesDialog>
  );
}

export function BulkDelete({ zone, records, onDone, onClose }: Props) {
  const changes = useMemo(() => bulkDeletions(records), [records]);
  const bulk = useBulk({ zone, onDone }, changes, 'Failed to delete record');
  return (
    <ChangesDialog
      {...bulk}
      title={`Supprimer ${plural(records.length, 'enregistrement', 'enregistrements')}\u202f?`}
      zone={zone.name}
      action="Supprimer"
      isDangerous
      onClose={onClose}
    >
      <p>L’historique de la zone permet d’y revenir.</p>
    </ChangesDialog>
  );
}
