import { Textarea, TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import { type Group, visitMinutes } from '@vigie/contracts/groups';
import { useState } from 'react';
import { isOwn } from '../../kit/fleet/roles';
import { emptyErrors } from '../../kit/form/errors';
import { useDraftForm } from '../../kit/form/useDraftForm';
import { useUser } from '../../kit/fleet/users';
import { DialogForm } from '../../kit/dialog/DialogForm';
import { FormDialog } from '../../kit/dialog/FormDialog';
import { LeaveGuard } from '../../kit/dialog/LeaveGuard';
import { SelectField } from '../../ui/SelectField';
import { toast } from '../../ui/toasts';
import { groupsApi } from './groups.api';
import { isOwnedBy, parentsOf } from '../../kit/fleet/groups-tree';

type Values = { name: string; description: string; parent: string; minutes: string };

const valuesOf = (group: Group | undefined): Values => ({
  name: group?.name ?? '',
  description: group?.description ?? '',
  parent: group?.parent_id ?? '',
  minutes: String(group?.visit_minutes ?? ''),
});

/** Returns only the changed fields. */
function changesOf(group: Group | undefined, { name, description, parent, minutes }: Values) {
  const stored = valuesOf(group);
  return {
    ...(name.trim() !== stored.name && { name: name.trim() }),
    ...(description.trim() !== stored.description && { description: description.trim() || null }),
    ...(parent !== stored.parent && { parent_id: parent || null }),
    ...(minutes !== stored.minutes && { visit_minutes: Number(minutes) || null }),
  };
}

type Props = { group: Group | undefined; groups: readonly Group[]; onSaved: () => void; onClose: () => void };

/** Keeps the group as it was when the dialog opened, even if the list is read again. */
function useGroupForm({ group: stored, onSaved }: Pick<Props, 'group' | 'onSaved'>) {
  const [group] = useState(stored);
  const [create, creation] = groupsApi.useCreateGroupMutation();
  const [edit, edition] = groupsApi.useEditGroupMutation();
  const form = useDraftForm({
    name: `group ${group?.id ?? 'new'}`,
    initial: valuesOf(group),
    validate: (values) => emptyErrors(values, ['name']),
    isChanged: (values) => Object.keys(changesOf(group, values)).length > 0,
  });
  const save = async (values: Values) => {
    if (group && !form.isDirty) return onSaved();
    const changes = changesOf(group, values);
    const { data } = await (group
      ? edit({ id: group.id, ...changes })
      : create({ ...changes, name: values.name.trim() }));
    if (!data) return;
    toast.success(group ? `Groupe ${data.name} enregistré.` : `Groupe ${data.name} créé.`);
    onSaved();
  };
  return { group, form, save, call: group ? edition : creation };
}

type ParentProps = {
  groups: readonly Group[];
  moved: Group | undefined;
  field: object;
};

/** Indents the options with em spaces, which a closed select does not collapse. */
function ParentField({ groups, moved, field }: ParentProps) {
  const userId = useUser()?.id;
  const ownerGroups = groups.filter((group) => isOwn(group) && isOwnedBy(group, moved?.owner_id ?? userId));
  const data = parentsOf(ownerGroups, moved?.id).map(({ group: { id, name }, depth }) => ({
    value: id,
    label: `${'\u2003'.repeat(depth)}${name}`,
  }));
  return <SelectField label="Groupe parent" data={[{ value: '', label: 'Aucun' }, ...data]} {...field} />;
}

const intervals = [
  { value: '', label: 'Comme le groupe au-dessus' },
  ...visitMinutes.map((minutes) => ({ value: String(minutes), label: minuteLabel(minutes) })),
];

function minuteLabel(minutes: number): string {
  if (minutes === 1) return 'Chaque minute';
  return minutes === 60 ? 'Chaque heure' : `Toutes les ${minutes}\u00a0min`;
}

const IntervalField = ({ field }: { field: object }) => (
  <SelectField
    label="Visites de ses sites"
    description="Un site suit le groupe le plus proche qui le dit. En panne, il est visité chaque minute."
    data={intervals}
    {...field}
  />
);

export function GroupDialog({ groups, onClose, ...rest }: Props) {
  const { group, form, save, call } = useGroupForm(rest);
  const isClosedBy = (search: Record<string, unknown>) =>
    group ? search['edit'] !== group.id : search['add'] !== true;
  return (
    <>
      <FormDialog title={group ? 'Modifier le groupe' : 'Nouveau groupe'} onClose={onClose}>
        <DialogForm
          action={group ? 'Enregistrer' : 'Créer le groupe'}
          call={call}
          onSubmit={form.submit(save)}
          onCancel={onClose}
        >
          <TextInput data-autofocus label="Nom" maxLength={100} autoComplete="off" {...form.field('name')} />
          <Textarea
            label="Description"
            placeholder="Facultatif"
            rows={3}
            maxLength={1_000}
            {...form.field('description')}
          />
          {(!group || isOwn(group)) && (
            <>
              <ParentField groups={groups} moved={group} field={form.field('parent')} />
              <IntervalField field={form.field('minutes')} />
            </>
          )}
        </DialogForm>
      </FormDialog>
      <LeaveGuard isDirty={form.isDirty} isClosedBy={isClosedBy} />
    </>
  );
}
