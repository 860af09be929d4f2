import { Textarea, TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import type { Group } from '@vigie/contracts/groups';
import { useRef, useState } from 'react';
import { reportFailure } from '../../kit/query/failures';
import { useFormValues } from '../../kit/form/useFormValues';
import { useUser } from '../../kit/fleet/users';
import { DialogForm } from '../../kit/dialog/DialogForm';
import { FormDialog } from '../../kit/dialog/FormDialog';
import { LeaveGuard } from '../../kit/dialog/LeaveGuard';
import { SelectField } from '../../ui/SelectField';
import { toast } from '../../ui/toasts';
import { groupsApi } from './groups.api';
import { isOwnedBy, parentsOf } from '../../kit/fleet/groups-tree';

type Values = { name: string; description: string; parent: string };

const valuesOf = (group: Group | undefined): Values => ({
  name: group?.name ?? '',
  description: group?.description ?? '',
  parent: group?.parent_id ?? '',
});

/** Returns only the changed fields. */
function changesOf(group: Group | undefined, { name, description, parent }: Values) {
  const stored = valuesOf(group);
  return {
    ...(name.trim() !== stored.name && { name: name.trim() }),
    ...(description.trim() !== stored.description && { description: description.trim() || null }),
    ...(parent !== stored.parent && { parent_id: parent || null }),
  };
}

function useSave(group: Group | undefined) {
  const [create, creation] = groupsApi.useCreateGroupMutation();
  const [edit, edition] = groupsApi.useEditGroupMutation();
  const save = async (values: Values) => {
    const changes = changesOf(group, values);
    if (group) return edit({ id: group.id, ...changes });
    const body = { ...changes, name: values.name.trim() };
    const created = await create(body);
    return created;
  };
  return { save, isSaving: creation.isLoading || edition.isLoading };
}

type FormProps = { group: Group | undefined; groups: readonly Group[]; onSaved: () => void; onClose: () => void };

function useForm({ group: stored, onSaved }: Pick<FormProps, 'group' | 'onSaved'>, focusName: () => void) {
  const [group] = useState(stored);
  const [values, setValues] = useFormValues(`group ${group?.id ?? 'new'}`, valuesOf(group));
  const [isNameMissing, setNameMissing] = useState(false);
  const [failure, setFailure] = useState<string>();
  const { save, isSaving } = useSave(group);
  const isDirty = Object.keys(changesOf(group, values)).length > 0;
  const submit = async () => {
    setFailure(undefined);
    const isMissing = values.name.trim() === '';
    setNameMissing(isMissing);
    if (isMissing) focusName();
    if (isMissing || isSaving) return;
    if (group && !isDirty) return onSaved();
    const { data, error } = await save(values);
    if (!data)
      return setFailure(reportFailure(error, group ? 'Échec de la modification.' : 'Échec de création du groupe.'));
    toast.success(group ? `Groupe ${data.name} enregistré.` : `Groupe ${data.name} créé.`);
    onSaved();
  };
  const change = (changes: Partial<Values>) => {
    setValues({ ...values, ...changes });
    if (changes.name?.trim()) setNameMissing(false);
  };
  return { group, values, isNameMissing, failure, isSaving, isDirty, submit, change };
}

type ParentProps = {
  groups: readonly Group[];
  moved: Group | undefined;
  value: string;
  onChange: (parent: string) => void;
};

/** Indents the options with em spaces, which a closed select does not collapse. */
function ParentField({ groups, moved, value, onChange }: ParentProps) {
  const userId = useUser()?.id;
  const ownerGroups = groups.filter((group) => isOwnedBy(group, moved?.owner_id ?? userId));
  const data = parentsOf(ownerGroups, moved?.id).map(({ group: { id, name }, depth }) => ({
    value: id,
    label: `${'\u2003'.repeat(depth)}${name}`,
  }));
  return (
    <SelectField
      name="parent"
      label="Groupe parent"
      data={[{ value: '', label: 'Aucun' }, ...data]}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

export function GroupDialog({ groups, onClose, ...rest }: FormProps) {
  const name = useRef<HTMLInputElement>(null);
  const { group, values, failure, change, ...form } = useForm(rest, () => name.current?.focus());
  const isClosedBy = (search: Record<string, unknown>) =>
    group ? search['edit'] !== group.id : search['add'] !== true;
  return (
    <>
      <FormDialog title={group ? 'Modifier le groupe' : 'Nouveau groupe'} onClose={onClose}>
        <DialogForm
          action={group ? 'Enregistrer' : 'Créer le groupe'}
          failure={failure}
          isSending={form.isSaving}
          onSubmit={() => void form.submit()}
          onCancel={onClose}
        >
          <TextInput
            ref={name}
            data-autofocus
            name="name"
            label="Nom"
            maxLength={100}
            autoComplete="off"
            value={values.name}
            error={form.isNameMissing && 'À renseigner.'}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <Textarea
            name="description"
            label="Description"
            placeholder="Facultatif"
            rows={3}
            maxLength={1_000}
            value={values.description}
            onChange={(event) => change({ description: event.currentTarget.value })}
          />
          <ParentField groups={groups} moved={group} value={values.parent} onChange={(parent) => change({ parent })} />
        </DialogForm>
      </FormDialog>
      <LeaveGuard isDirty={form.isDirty} isClosedBy={isClosedBy} />
    </>
  );
}
