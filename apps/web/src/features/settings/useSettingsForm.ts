import type { AppSettings } from '@vigie/contracts/settings';
import { useState } from 'react';
import { reportFailure } from '../../kit/query/failures';
import { useFormValues } from '../../kit/form/useFormValues';
import { announceSettings } from '../../ui/brand';
import { toast } from '../../ui/toasts';
import { changesOf, checkChanges, type Field, type Values, valuesOf } from './changes';
import { settingsApi } from './settings.api';

const fieldOrder: readonly Field[] = [
  'app_name',
  'logo_light_b64',
  'logo_dark_b64',
  'default_sender_email',
  'require_2fa',
];

/** Keeps what the user typed while the save was running. */
const keepNewInput = (sent: Values, current: Partial<Values>): Partial<Values> => {
  const fields = fieldOrder.filter((field) => current[field] !== sent[field] && current[field] !== undefined);
  return Object.fromEntries(fields.map((field) => [field, current[field]]));
};

export function useSettingsForm(settings: AppSettings, focus: (field: Field) => void) {
  const [saveAppSettings, { isLoading }] = settingsApi.useSaveAppSettingsMutation();
  const [draft, setDraft] = useFormValues<Partial<Values>>('settings', {});
  const [errors, setErrors] = useState<Partial<Record<Field, string>>>({});
  const [failure, setFailure] = useState<string>();
  const stored = valuesOf(settings);
  const values = { ...stored, ...draft };
  const changes = changesOf(stored, values);
  const change = (edits: Partial<Values>) => {
    setDraft((current) => ({ ...current, ...edits }));
    if (Object.keys(errors).length > 0) setErrors(checkChanges(changesOf(stored, { ...values, ...edits })));
  };
  const reset = () => {
    setDraft({});
    setErrors({});
    setFailure(undefined);
  };
  const save = async (): Promise<void> => {
    const nextErrors = checkChanges(changes);
    const firstInvalid = fieldOrder.find((field) => nextErrors[field] !== undefined);
    setErrors(nextErrors);
    if (firstInvalid) return focus(firstInvalid);
    const { data, error } = await saveAppSettings(changes);
    if (!data) return setFailure(reportFailure(error, "Échec de l'enregistrement."));
    setDraft((current) => keepNewInput(values, current));
    setFailure(undefined);
    announceSettings(data);
    toast.success('Paramètres enregistrés.');
  };
  const isDirty = Object.keys(changes).length > 0;
  return { values, errors, failure, isDirty, isSaving: isLoading, change, reset, save };
}
