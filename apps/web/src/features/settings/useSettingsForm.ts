import type { AppSettings } from '@vigie/contracts/settings';
import { useDraftForm } from '../../kit/form/useDraftForm';
import { announceSettings } from '../../ui/brand';
import { toast } from '../../ui/toasts';
import { changesOf, checkChanges, type Values, valuesOf } from './changes';
import { settingsApi } from './settings.api';

export function useSettingsForm(settings: AppSettings) {
  const [saveAppSettings, call] = settingsApi.useSaveAppSettingsMutation();
  const stored = valuesOf(settings);
  const form = useDraftForm<Values>({
    name: 'settings',
    initial: stored,
    validate: (values) => checkChanges(changesOf(stored, values)),
    isChanged: (values) => Object.keys(changesOf(stored, values)).length > 0,
  });
  const save = async (values: Values): Promise<void> => {
    const changes = changesOf(stored, values);
    if (call.isLoading || Object.keys(changes).length === 0) return;
    const { data } = await saveAppSettings(changes);
    if (!data) return;
    form.clearSent(values);
    announceSettings(data);
    toast.success('Paramètres enregistrés.');
  };
  const reset = () => {
    form.reset();
    call.reset();
  };
  return { ...form, call, reset, save: form.submit(save) };
}
