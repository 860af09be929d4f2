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

/** What the editor shows in place of the form or under it: a preview, a conflict or a failure. */
function useSteps(zoneId: string) {
  const [failure, setFailure] = useState<string>();
  const [conflict, setConflict] = useState<RecordConflict>();
  const preview = usePreview(zoneId);
  const backToForm = () => {
    setConflict(undefined);
    setFailure(undefined);
    preview.clear();
  };
  return { failure, setFailure, conflict, setConflict, preview, backToForm };
}

type Steps = ReturnType<typeof useSteps>;

function useSave(zoneId: string, { setFailure, setConflict }: Steps, onSaved: () => void) {
  const { send, isSending } = useSend(zoneId);
  const save = async (base: Base, values: Values) => {
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
  return { save, isSending };
}

type ConflictOptions = {
  steps: Steps;
  form: ReturnType<typeof useRecordForm>;
  initial: Values;
  setBase: (base: Base) => void;
  onSaved: () => void;
};

const conflictActionsOf = ({ steps, form, initial, setBase, onSaved }: ConflictOptions) => ({
  /** Continues with the current version, and drops the typed values. */
  takeCurrent: () => {
    const current = steps.conflict?.current;
    if (!current) return onSaved();
    setBase(current);
    form.replace(valuesOf(current));
    steps.backToForm();
  },
  /** Previews the typed values against the current version, to save them over it. */
  overwriteCurrent: async () => {
    const current = steps.conflict?.current ?? undefined;
    if (current && !isChanged(current, initial, form.values)) return onSaved();
    setBase(current);
    steps.backToForm();
    steps.setFailure(await steps.preview.fetchPreview(current, form.values));
  },
});

/** Edits a record or creates one: the form, a preview, then the save. */
export function useRecordEditor({ zoneId, record, initial = blank, onSaved }: Options) {
  const [base, setBase] = useState(record);
  const form = useRecordForm({ zoneId, record, initial }, base);
  const { values, isDirty } = form;
  const steps = useSteps(zoneId);
  const { failure, setFailure, conflict, preview, backToForm } = steps;
  const { save, isSending } = useSave(zoneId, steps, onSaved);
  const previewChanges = async (valid: Values) => {
    setFailure(undefined);
    if (preview.isLoading) return;
    if (base && !isDirty) return onSaved();
    setFailure(await preview.fetchPreview(base, valid));
  };
  return {
    ...form,
    base,
    failure,
    conflict,
    difference: preview.difference,
    isBusy: preview.isLoading || isSending,
    previewChanges: form.submit(previewChanges),
    save: () => save(base, values),
    ...conflictActionsOf({ steps, form, initial, setBase, onSaved }),
    backToForm,
  };
}

export type Editor = ReturnType<typeof useRecordEditor>;
