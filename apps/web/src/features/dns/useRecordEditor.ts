import type { DnsDifference } from '@vigie/contracts/dns-changes';
import type { DnsRecord, RecordConflict } from '@vigie/contracts/dns-records';
import { useState } from 'react';
import { tellFailure } from '../../app/tellFailure';
import { useFormValues } from '../../app/useFormValues';
import { useIdempotencyKey } from '../../app/useIdempotencyKey';
import { toast } from '../../ui/toasts';
import { conflictOf } from './differences';
import { type Change, changesApi, recordsApi } from './records.api';
import {
  blank,
  changesOf,
  check,
  draftOf,
  type Errors,
  type Field,
  fields,
  settle,
  type Values,
  valuesOf,
} from './values';

const failed = 'Failed to save record';

type Base = DnsRecord | undefined;

const loadedOf = (base: Base): Values => (base ? valuesOf(base) : blank);

const isChanged = (base: Base, initial: Values, values: Values) =>
  Object.keys(changesOf(base ? valuesOf(base) : initial, values)).length > 0;

function useSend(zone: string) {
  const [create, creation] = recordsApi.useCreateRecordMutation();
  const [edit, edition] = recordsApi.useEditRecordMutation();
  const { keyFor, renewKey } = useIdempotencyKey();
  const send = async (base: Base, values: Values) => {
    if (base) {
      const changes = changesOf(loadedOf(base), values);
      return edit({ zone, record: base.id, expected: base.version, changes });
    }
    const record = draftOf(values);
    const made = await create({ zone, record, idempotencyKey: keyFor(record) });
    if (made.data) renewKey();
    return made;
  };
  return { send, isSending: creation.isLoading || edition.isLoading };
}

const changeOf = (base: Base, values: Values): Change =>
  base
    ? {
        action: 'edit',
        record_id: base.id,
        record: changesOf(loadedOf(base), values),
        expected: base.version,
      }
    : { action: 'create', record: draftOf(values) };

/** What would become of it, asked before it is sent. */
function usePreview(zone: string) {
  const [preview, { isFetching }] = changesApi.useLazyPreviewChangesQuery();
  const [difference, setDifference] = useState<DnsDifference>();
  const ask = async (base: Base, values: Values): Promise<string | undefined> => {
    const { data, error } = await preview({ zone, changes: [changeOf(base, values)] });
    if (!data) return tellFailure(error, failed);
    setDifference(data.differences[0]);
    return undefined;
  };
  return { difference, isAsking: isFetching, ask, forget: () => setDifference(undefined) };
}

type Options = {
  zone: string;
  record: DnsRecord | undefined;
  /** What another record begins with. */
  initial?: Values | undefined;
  focus: (field: Field) => void;
  onSaved: () => void;
};

/** What is typed, and what is wrong with it. */
function useTyped({ zone, record, initial = blank, focus }: Omit<Options, 'onSaved'>) {
  const form = `record ${zone} ${record?.id ?? 'new'}`;
  const [values, setValues] = useFormValues(form, record ? valuesOf(record) : initial);
  const [errors, setErrors] = useState<Errors>({});
  const change = (changes: Partial<Values>) => {
    const next = settle(values, changes);
    const found = check(next);
    setValues(next);
    // What is not wrong yet is not called wrong while it is being typed.
    setErrors((shown) => Object.fromEntries(Object.keys(shown).flatMap((field) => pick(found, field))));
  };
  const leave = (field: Field) => setErrors((shown) => ({ ...shown, [field]: check(values)[field] }));
  const isRefused = () => {
    const found = check(values);
    const wrong = fields.find((field) => found[field] !== undefined);
    setErrors(found);
    if (wrong) focus(wrong);
    return wrong !== undefined;
  };
  return { values, errors, setValues, change, leave, isRefused };
}

/** One record, or another one: typed, then compared, then sent. */
export function useRecordEditor({ zone, record, initial = blank, focus, onSaved }: Options) {
  const [base, setBase] = useState(record);
  const { setValues, leave, isRefused, ...typed } = useTyped({ zone, record, initial, focus });
  const { values } = typed;
  const [failure, setFailure] = useState<string>();
  const [conflict, setConflict] = useState<RecordConflict>();
  const preview = usePreview(zone);
  const { send, isSending } = useSend(zone);
  const isDirty = isChanged(base, initial, values);
  const compare = async () => {
    setFailure(undefined);
    if (isRefused() || preview.isAsking) return;
    if (base && !isDirty) return onSaved();
    setFailure(await preview.ask(base, values));
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
    setFailure(tellFailure(error, failed));
  };
  const back = () => {
    setConflict(undefined);
    setFailure(undefined);
    preview.forget();
  };
  /** The one that is there now is gone on with. */
  const takeCurrent = () => {
    if (!conflict?.current) return onSaved();
    setBase(conflict.current);
    setValues(valuesOf(conflict.current));
    back();
  };
  /** What was typed is to take the place of what is there now: compared with that, and sent after another look. */
  const insist = async () => {
    const current = conflict?.current ?? undefined;
    if (current && !isChanged(current, initial, values)) return onSaved();
    setBase(current);
    back();
    setFailure(await preview.ask(current, values));
  };
  return {
    ...typed,
    base,
    failure,
    conflict,
    difference: preview.difference,
    isDirty,
    isBusy: preview.isAsking || isSending,
    leave: (field: Field) => isDirty && leave(field),
    compare,
    save,
    takeCurrent,
    insist,
    back,
  };
}

const pick = (errors: Errors, name: string) =>
  fields.flatMap((field) => (field === name && errors[field] !== undefined ? [[field, errors[field]]] : []));

export type Editor = ReturnType<typeof useRecordEditor>;
