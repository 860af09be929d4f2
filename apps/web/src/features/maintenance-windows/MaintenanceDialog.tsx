import { Checkbox, Group, Text, TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/Checkbox.layer.css';
import { withDe } from '@vigie/contracts/french';
import { maxMaintenanceNote } from '@vigie/contracts/maintenance-windows';
import { DialogForm } from '../../kit/dialog/DialogForm';
import { FormDialog } from '../../kit/dialog/FormDialog';
import { useCloseGuard } from '../../kit/dialog/LeaveGuard';
import { type DraftForm, useDraftForm } from '../../kit/form/useDraftForm';
import { ChoiceLegend } from '../../ui/ChoiceList';
import { LineField } from '../../ui/LineField';
import { SelectField } from '../../ui/SelectField';
import { ownTimeZone } from '../../ui/time-zone';
import { toast } from '../../ui/toasts';
import { emptyWindow, timesOf, type WindowValues, whenChoices, windowErrors } from './maintenance-form';
import { maintenanceApi, type Target, targetFields } from './maintenance-windows.api';
import { MaintenanceList } from './MaintenanceList';
import { weekdayNames } from './words';

type FieldsProps = { form: DraftForm<WindowValues> };

const DateFields = ({ form }: FieldsProps) => (
  <Group align="flex-start" gap={12} grow preventGrowOverflow={false}>
    <TextInput type="datetime-local" label="Début" {...form.field('from')} />
    <TextInput type="datetime-local" label="Fin" {...form.field('to')} />
  </Group>
);

const durations = [
  { value: '15', label: '15\u00a0min' },
  { value: '30', label: '30\u00a0min' },
  { value: '60', label: '1\u00a0h' },
  { value: '120', label: '2\u00a0h' },
  { value: '240', label: '4\u00a0h' },
  { value: '480', label: '8\u00a0h' },
  { value: '1440', label: 'Toute la journée' },
];

function WeekFields({ form }: FieldsProps) {
  const { days } = form.values;
  const toggle = (day: string, isOn: boolean) =>
    form.change({ days: isOn ? [...days, day] : days.filter((other) => other !== day) });
  return (
    <>
      <fieldset>
        <ChoiceLegend count={days.length}>Jours</ChoiceLegend>
        <Group gap="8px 16px">
          {weekdayNames.map((name, at) => (
            <Checkbox
              key={name}
              label={name}
              checked={days.includes(String(at + 1))}
              onChange={(event) => toggle(String(at + 1), event.currentTarget.checked)}
            />
          ))}
        </Group>
      </fieldset>
      <Group align="flex-start" gap={12} grow preventGrowOverflow={false}>
        <TextInput type="time" label="À partir de" {...form.field('at')} />
        <SelectField label="Durée" data={durations} {...form.field('minutes')} />
      </Group>
    </>
  );
}

function useWindowForm(target: Target, onClose: () => void) {
  const [create, call] = maintenanceApi.useCreateMaintenanceWindowMutation();
  const form = useDraftForm<WindowValues>({
    name: `maintenance ${target.id}`,
    initial: emptyWindow,
    validate: (values) => windowErrors(values, new Date()),
  });
  const submit = form.submit(async (values) => {
    const times = timesOf(values, new Date(), ownTimeZone);
    const { data } = await create({ ...targetFields(target), ...times, note: values.note });
    if (!data) return;
    toast.success(data.running_until === null ? 'Maintenance prévue.' : 'Maintenance commencée.');
    onClose();
  });
  return { form, call, submit };
}

type Props = { target: Target; onClose: () => void };

/** Plans a maintenance of a site, or of a group, whose maintenance is not listed elsewhere. */
export function MaintenanceDialog({ target, onClose }: Props) {
  const { form, call, submit } = useWindowForm(target, onClose);
  const lost = 'La maintenance n’est pas encore prévue.';
  const { close, guard } = useCloseGuard({ isDirty: form.isDirty, undone: 'prévoir', lost, onClose });
  const { when } = form.values;
  return (
    <FormDialog title={`Maintenance ${withDe(target.name)}`} onClose={close}>
      <DialogForm action="Prévoir" call={call} failure={form.errors.form} onSubmit={submit} onCancel={close}>
        {target.kind === 'group' && (
          <section aria-label="Maintenances prévues" tabIndex={-1} data-maintenance style={{ outline: 'none' }}>
            <MaintenanceList target={target} />
          </section>
        )}
        <SelectField data-autofocus label="Quand" data={whenChoices} {...form.field('when')} />
        {when === 'dates' && <DateFields form={form} />}
        {when === 'weekly' && <WeekFields form={form} />}
        <LineField label="Note" placeholder="Facultative" maxLength={maxMaintenanceNote} {...form.field('note')} />
        <Text variant="note">
          {`Les visites continuent. Leurs échecs n’ouvrent pas d’incident et ne baissent pas la disponibilité${
            target.kind === 'group' ? ', pour tous les sites du groupe et de ses sous-groupes' : ''
          }.`}
        </Text>
      </DialogForm>
      {guard}
    </FormDialog>
  );
}
