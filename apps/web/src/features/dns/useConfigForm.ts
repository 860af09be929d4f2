import type { DnsConfig, DnsValidation } from '@vigie/contracts/dns-config';
import { useState } from 'react';
import { tellFailure } from '../../app/tellFailure';
import { useFormValues } from '../../app/useFormValues';
import { useIdempotencyKey } from '../../app/useIdempotencyKey';
import { toast } from '../../ui/toasts';
import { changesOf, check, creationOf, type Errors, fields, trialOf, type Values, valuesOf } from './config';
import { zonesApi } from './zones.api';

const saveFailed = 'Failed to save configuration';
export const validateFailed = 'Failed to validate configuration';

function useSave(stored: DnsConfig) {
  const [create, creation] = zonesApi.useCreateDnsConfigMutation();
  const [edit, edition] = zonesApi.useEditDnsConfigMutation();
  const { keyFor, renewKey } = useIdempotencyKey();
  const save = async (values: Values) => {
    if (stored.has_config) return edit(changesOf(stored, values));
    const config = creationOf(values);
    const made = await create({ config, idempotencyKey: keyFor(config) });
    if (made.data) renewKey();
    return made;
  };
  return { save, isSaving: creation.isLoading || edition.isLoading };
}

function useTrial() {
  const [validate, { isLoading }] = zonesApi.useValidateDnsConfigMutation();
  const [found, setFound] = useState<DnsValidation>();
  const run = async (asked: Parameters<typeof validate>[0]): Promise<string | undefined> => {
    setFound(undefined);
    const { data, error } = await validate(asked);
    if (!data) return tellFailure(error, validateFailed);
    setFound(data);
    return undefined;
  };
  return { found, isTrying: isLoading, run, forget: () => setFound(undefined) };
}

/** How Vigie logs in at Cloudflare, before it is tried and kept. */
export function useConfigForm(config: DnsConfig, focus: (field: keyof Values) => void, onSaved: () => void) {
  const [stored] = useState(config);
  const { save, isSaving } = useSave(stored);
  const trial = useTrial();
  const [values, setValues] = useFormValues('cloudflare', valuesOf(stored), { api_key: '' });
  const [errors, setErrors] = useState<Errors>({});
  const [failure, setFailure] = useState<string>();
  const isDirty = Object.keys(changesOf(stored, values)).some((field) => field !== 'mode' || stored.has_config);
  const isRefused = () => {
    const found = check(stored, values);
    setErrors(found);
    setFailure(undefined);
    const first = fields.find((field) => found[field] !== undefined);
    if (first) focus(first);
    return first !== undefined;
  };
  const submit = async () => {
    if (isRefused() || isSaving) return;
    trial.forget();
    if (stored.has_config && !isDirty) return onSaved();
    const { data, error } = await save(values);
    if (!data) return setFailure(tellFailure(error, saveFailed));
    toast.success('Configuration enregistrée.');
    onSaved();
  };
  const attempt = async () => {
    if (isRefused() || trial.isTrying) return;
    setFailure(await trial.run(trialOf(stored, values)));
  };
  const change = (changes: Partial<Values>) => {
    setValues({ ...values, ...changes });
    setErrors((shown) => Object.fromEntries(Object.entries(shown).filter(([field]) => !(field in changes))));
    trial.forget();
  };
  return { values, errors, failure, trial, isDirty, isSaving, change, submit, attempt };
}
