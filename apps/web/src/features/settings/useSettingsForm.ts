import type { AppSettings } from '@vigie/contracts/settings';
import { useState } from 'react';
import { tellFailure } from '../../app/tellFailure';
import { announceSettings } from '../../ui/brand';
import { toast } from '../../ui/toasts';
import { changesOf, checkChanges, type Field, type Values, valuesOf } from './changes';
import { settingsApi } from './settings.api';

const order: readonly Field[] = ['app_name', 'logo_light_b64', 'logo_dark_b64', 'default_sender_email', 'require_2fa'];

export function useSettingsForm(settings: AppSettings, focus: (field: Field) => void) {
  const [saveAppSettings, { isLoading }] = settingsApi.useSaveAppSettingsMutation();
  const [draft, setDraft] = useState<Partial<Values>>({});
  const [errors, setErrors] = useState<Partial<Record<Field, string>>>({});
  const [failure, setFailure] = useState<string>();
  const stored = valuesOf(settings);
  const values = { ...stored, ...draft };
  const changes = changesOf(stored, values);
  const change = (changed: Partial<Values>) => {
    const next = { ...draft, ...changed };
    setDraft(next);
    if (Object.keys(errors).length > 0) setErrors(checkChanges(changesOf(stored, { ...stored, ...next })));
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
    reset();
    announceSettings(data);
    toast.success('Paramètres enregistrés.');
  };
  const isDirty = Object.keys(changes).length > 0;
  return { values, errors, failure, isDirty, isSaving: isLoading, change, reset, save };
}
