import type { DnsDifference } from '@vigie/contracts/dns-changes';
import type { DnsRecord, RecordConflict } from '@vigie/contracts/dns-records';
import { useState } from 'react';
import { reportFailure } from '../../kit/query/failures';
import { useFormValues } from '../../kit/form/useFormValues';
import { toast } from '../../ui/toasts';
import { conflictOf } from './differences';
import { type Change, recordsApi } from './records.api';
import {
  blank,
  changesOf,
  findErrors,
  draftOf,
  type Errors,
  type Field,
  fields,
  applyChanges,
  type Values,
  valuesOf,
} from './values';

const failed = 'Failed to save record';

type Base = DnsRecord | undefined;

const baseValues = (base: Base): Values => (base ? valuesOf(base) : blank);

const isChanged = (base: Base, initial: Values, values: Values) =>
  Object.keys(changesOf(base ? valuesOf(base) : initial, values)).length > 0;

function useSend(zoneId: string) {
  const [create, creation] = recordsApi.useCreateRecordMutation();
  const [edit, edition] = recordsApi.useEditRecordMutation();
  const send = async (base: Base, values: Values) => {
    if (base) {
      const changes = changesOf(baseValues(base), values);
      return edit({ zone_id: zoneId, record_id: base.id, expected: base.version, ...changes });
    }
    const record = draftOf(values);
    const created = await create({ zone_id: zoneId, ...record });
    return created;
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
    if (!data) return reportFailure(error, failed);
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
  focus: (field: Field) => void;
  onSaved: () => void;
};

function useRecordValues({ zoneId, record, initial = blank, focus }: Omit<Options, 'onSaved'>) {
  const formName = `record ${zoneId} ${record?.id ?? 'new'}`;
  const [values, setValues] = useFormValues(formName, record ? valuesOf(record) : initial);
  const [errors, setErrors] = useState<Errors>({});
  const change = (changes: Partial<Values>) => {
    const next = applyChanges(values, changes);
    const nextErrors = findErrors(next);
    setValues(next);
    // Updates only errors that are shown already: typing must not show new ones.
    setErrors((current) => Object.fromEntries(Object.keys(current).flatMap((field) => pickError(nextErrors, field))));
  };
  const validateField = (field: Field) => setErrors((current) => ({ ...current, [field]: findErrors(values)[field] }));
  const hasErrors = () => {
    const nextErrors = findErrors(values);
    const firstInvalid = fields.find((field) => nextErrors[field] !== undefined);
    setErrors(nextErrors);
    if (firstInvalid) focus(firstInvalid);
    return firstInvalid !== undefined;
  };
  return { values, errors, setValues, change, validateField, hasErrors };
}

/** Edits a record or creates one: the form, a preview, then the save. */
export function useRecordEditor({ zoneId, record, initial = blank, focus, onSaved }: Options) {
  const [base, setBase] = useState(record);
  const { setValues, validateField, hasErrors, ...form } = useRecordValues({ zoneId, record, initial, focus });
  const { values } = form;
  const [failure, setFailure] = useState<string>();
  const [conflict, setConflict] = useState<RecordConflict>();
  const preview = usePreview(zoneId);
  const { send, isSending } = useSend(zoneId);
  const isDirty = isChanged(base, initial, values);
  const previewChanges = async () => {
    setFailure(undefined);
    if (hasErrors() || preview.isLoading) return;
    if (base && !isDirty) return onSaved();
    setFailure(await preview.fetchPreview(base, values));
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
    setFailure(reportFailure(error, failed));
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
    setValues(valuesOf(conflict.current));
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
    isDirty,
    isBusy: preview.isLoading || isSending,
    validateField: (field: Field) => isDirty && validateField(field),
    previewChanges,
    save,
    takeCurrent,
    overwriteCurrent,
    backToForm,
  };
}

const pickError = (errors: Errors, name: string) =>
  fields.flatMap((field) => (field === name && errors[field] !== undefined ? [[field, errors[field]]] : []));

export type Editor = ReturnType<typeof useRecordEditor>;
