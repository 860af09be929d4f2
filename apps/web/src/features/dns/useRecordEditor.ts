import type { DnsDifference } from '@vigie/contracts/dns-changes';
import type { DnsRecord, RecordConflict } from '@vigie/contracts/dns-records';
import { useState } from 'react';
import { useDraftForm } from '../../kit/form/useDraftForm';
import { reportFailure, sentenceOf } from '../../kit/query/failures';
import { toast } from '../../ui/toasts';
import { conflictOf } from './differences';
import { type Change, recordsApi, saveFailed } from './records.api';
import { blank, changesOf, findErrors, draftOf, applyChanges, type Values, valuesOf } from './values';

type Base = DnsRecord | undefined;

const baseValues = (base: Base): Values => (base ? valuesOf(base) : blank);

const isChanged = (base: Base, initial: Values, values: Values) =>
  Object.keys(changesOf(base ? valuesOf(base) : initial, values)).length > 0;

function useSend(zoneId: string) {
  const [create, creation] = recordsApi.useCreateRecordMutation();
  const [edit, edition] = recordsApi.useEditRecordMutation();
  const send = (base: Base, values: Values) => {
    if (!base) return create({ zone_id: zoneId, ...draftOf(values) });
    const changes = changesOf(baseValues(base), values);
    return edit({ zone_id: zoneId, record_id: base.id, expected: base.version, ...changes });
  };
  return { send, isSending: creation.isLoading || edition.isLoading };
}

const changeOf = (base: Base, values: Values): Change =>
  base
    ? {
        action: 'edit',
        record_id: base.id,
        record: changesOf(baseValues(base), values),
        expected: base.version,
      }
    : { action: 'create', record: draftOf(values) };

function usePreview(zoneId: string) {
  const [preview, { isFetching }] = recordsApi.useLazyPreviewChangesQuery();
  const [difference, setDifference] = useState<DnsDifference>();
  const fetchPreview = async (base: Base, values: Values): Promise<string | undefined> => {
    const { data, error } = await preview({ zone_id: zoneId, changes: [changeOf(base, values)] });
    if (!data) return reportFailure(error, saveFailed);
    setDifference(data.differences[0]);
    return undefined;
  };
  return { difference, isLoading: isFetching, fetchPreview, clear: () => setDifference(undefined) };
}

type Options = {
  zoneId: string;
  record: DnsRecord | undefined;
  /** The first values of a new record. */
  initial?: Values | undefined;
  onSaved: () => void;
};

function useRecordForm({ zoneId, record, initial = blank }: Omit<Options, 'onSaved'>, base: Base) {
  const [loaded] = useState(record);
  const form = useDraftForm<Values>({
    name: `record ${zoneId} ${record?.id ?? 'new'}`,
    initial: loaded ? valuesOf(loaded) : initial,
    validate: findErrors,
    isChanged: (values) => isChanged(base, initial, values),
  });
  const change = (changes: Partial<Values>) => form.change((current) => applyChanges(current, changes));
  return { ...form, change, replace: form.change };
}

/** Edits a record or creates one: the form, a preview, then the save. */
export function useRecordEditor({ zoneId, record, initial = blank, onSaved }: Options) {
  const [base, setBase] = useState(record);
  const form = useRecordForm({ zoneId, record, initial }, base);
  const { values, isDirty } = form;
  const [failure, setFailure] = useState<string>();
  const [conflict, setConflict] = useState<RecordConflict>();
  const preview = usePreview(zoneId);
  const { send, isSending } = useSend(zoneId);
  const previewChanges = async (valid: Values) => {
    setFailure(undefined);
    if (preview.isLoading) return;
    if (base && !isDirty) return onSaved();
    setFailure(await preview.fetchPreview(base, valid));
  };
  const save = async () => {
    if (isSending) return;
    setFailure(undefined);
    const { data, error } = await send(base, values);
    if (data) {
      toast.success(base ? 'Enregistrement modifié.' : 'Enregistrement créé.');
      return onSaved();
    }
    setConflict(conflictOf(error));
    setFailure(sentenceOf(error));
  };
  const backToForm = () => {
    setConflict(undefined);
    setFailure(undefined);
    preview.clear();
  };
  /** Continues with the current version, and drops the typed values. */
  const takeCurrent = () => {
    if (!conflict?.current) return onSaved();
    setBase(conflict.current);
    form.replace(valuesOf(conflict.current));
    backToForm();
  };
  /** Previews the typed values against the current version, to save them over it. */
  const overwriteCurrent = async () => {
    const current = conflict?.current ?? undefined;
    if (current && !isChanged(current, initial, values)) return onSaved();
    setBase(current);
    backToForm();
    setFailure(await preview.fetchPreview(current, values));
  };
  return {
    ...form,
    base,
    failure,
    conflict,
    difference: preview.difference,
    isBusy: preview.isLoading || isSending,
    previewChanges: form.submit(previewChanges),
    save,
    takeCurrent,
    overwriteCurrent,
    backToForm,
  };
}

export type Editor = ReturnType<typeof useRecordEditor>;
