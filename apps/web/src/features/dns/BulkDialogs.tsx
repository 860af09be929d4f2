import { Group } from '@mantine/core';
import type { DnsRecord } from '@vigie/contracts/dns-records';
import type { DnsZone } from '@vigie/contracts/dns-zones';
import { skipToken } from '@reduxjs/toolkit/query';
import { useMemo, useState } from 'react';
import { plural } from '../../ui/plural';
import { SelectField } from '../../ui/SelectField';
import { withoutExpectedVersions, type BulkValues, bulkDeletions, bulkEdits, ttlValues, unchangedValues } from './bulk';
import { ChangesDialog } from './ChangesDialog';
import { type Change, recordsApi } from './records.api';
import { useApplyChanges } from './useApplyChanges';
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
