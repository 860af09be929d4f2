import type { DnsConfig } from '@vigie/contracts/dns-config';
import { useState } from 'react';
import { useDraftForm } from '../../kit/form/useDraftForm';
import { sentenceOf } from '../../kit/query/failures';
import { toast } from '../../ui/toasts';
import { changesOf, creationOf, findErrors, validationOf, type Values, valuesOf } from './config';
import { zonesApi } from './zones.api';

/** The form of the Cloudflare credentials: they can be validated before they are saved. */
export function useConfigForm(config: DnsConfig, onSaved: () => void) {
  const [stored] = useState(config);
  const [create, creation] = zonesApi.useCreateDnsConfigMutation();
  const [edit, edition] = zonesApi.useEditDnsConfigMutation();
  const [validate, validation] = zonesApi.useValidateDnsConfigMutation();
  const form = useDraftForm<Values>({
    name: 'cloudflare',
    checksOnLeave: 'none',
    initial: valuesOf(stored),
    secrets: { api_key: '' },
    validate: (values) => findErrors(stored, values),
    isChanged: (values) =>
      Object.keys(changesOf(stored, values)).some((field) => field !== 'mode' || stored.has_config),
    onChange: validation.reset,
  });
  const saving = stored.has_config ? edition : creation;
  const save = async (values: Values) => {
    if (saving.isLoading) return;
    validation.reset();
    if (stored.has_config && !form.isDirty) return onSaved();
    const { data } = await (stored.has_config ? edit(changesOf(stored, values)) : create(creationOf(values)));
    if (!data) return;
    toast.success('Configuration enregistrée.');
    onSaved();
  };
  const test = async (values: Values) => {
    if (validation.isLoading) return;
    if (!saving.isLoading) saving.reset();
    await validate(validationOf(stored, values));
  };
  return {
    ...form,
    failure: sentenceOf(saving.error ?? validation.error),
    validated: validation.data,
    isValidating: validation.isLoading,
    isSaving: saving.isLoading,
    save: form.submit(save),
    test: form.submit(test),
  };
}
