import type { AppSettings } from '@vigie/contracts/settings';
import { useState } from 'react';
import { tellFailure } from '../../app/tellFailure';
import { useFormValues } from '../../app/useFormValues';
import { announceSettings } from '../../ui/brand';
import { toast } from '../../ui/toasts';
import { changesOf, checkChanges, type Field, type Values, valuesOf } from './changes';
import { settingsApi } from './settings.api';

const order: readonly Field[] = ['app_name', 'logo_light_b64', 'logo_dark_b64', 'default_sender_email', 'require_2fa'];

/** A save takes its time: what was typed meanwhile is not what it saved. */
const typedSince = (sent: Values, typed: Partial<Values>): Partial<Values> => {
  const fields = order.filter((field) => typed[field] !== sent[field] && typed[field] !== undefined);
  return Object.fromEntries(fields.map((field) => [field, typed[field]]));
};

export function useSettingsForm(settings: AppSettings, focus: (field: Field) => void) {
  const [saveAppSettings, { isLoading }] = settingsApi.useSaveAppSettingsMutation();
  const [draft, setDraft] = useFormValues<Partial<Values>>('settings', {});
  const [errors, setErrors] = useState<Partial<Record<Field, string>>>({});
  const [failure, setFailure] = useState<string>();
  const stored = valuesOf(settings);
  const values = { ...stored, ...draft };
  const changes = changesOf(stored, values);
  const change = (changed: Partial<Values>) => {
    setDraft((typed) => ({ ...typed, ...changed }));
    if (Object.keys(errors).length > 0) setErrors(checkChanges(changesOf(stored, { ...values, ...changed })));
  };
  const reset = () => {
    setDraft({});
    setErrors({});
    setFailure(undefined);
  };
  const save = async (): Promise<void> => {
    const found = checkChanges(changes);
    const first = order.find((field) => found[field] !== undefined);
    setErrors(found);
    if (first) return focus(first);
    const { data, error } = await saveAppSettings(changes);
    if (!data) return setFailure(tellFailure(error, "Échec de l'enregistrement."));
    setDraft((typed) => typedSince(values, typed));
    setFailure(undefined);
    announceSettings(data);
    toast.success('Paramètres enregistrés.');
  };
  const isDirty = Object.keys(changes).length > 0;
  return { values, errors, failure, isDirty, isSaving: isLoading, change, reset, save };
}
