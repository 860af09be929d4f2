import type { DnsConfig, DnsValidation } from '@vigie/contracts/dns-config';
import { useState } from 'react';
import { reportFailure, sentenceOf } from '../../kit/query/failures';
import { useFormValues } from '../../kit/form/useFormValues';
import { toast } from '../../ui/toasts';
import { changesOf, findErrors, creationOf, type Errors, fields, validationOf, type Values, valuesOf } from './config';
import { zonesApi } from './zones.api';

const saveFailed = 'Failed to save configuration';

function useSave(stored: DnsConfig) {
  const [create, creation] = zonesApi.useCreateDnsConfigMutation();
  const [edit, edition] = zonesApi.useEditDnsConfigMutation();
  const save = async (values: Values) => {
    if (stored.has_config) return edit(changesOf(stored, values));
    const config = creationOf(values);
    const created = await create(config);
    return created;
  };
  return { save, isSaving: creation.isLoading || edition.isLoading };
}

function useValidation() {
  const [validate, { isLoading }] = zonesApi.useValidateDnsConfigMutation();
  const [result, setResult] = useState<DnsValidation>();
  const run = async (config: Parameters<typeof validate>[0]): Promise<string | undefined> => {
    setResult(undefined);
    const { data, error } = await validate(config);
    if (!data) return sentenceOf(error);
    setResult(data);
    return undefined;
  };
  return { result, isValidating: isLoading, run, clear: () => setResult(undefined) };
}

/** The form of the Cloudflare credentials: they can be validated before they are saved. */
export function useConfigForm(config: DnsConfig, focus: (field: keyof Values) => void, onSaved: () => void) {
  const [stored] = useState(config);
  const { save, isSaving } = useSave(stored);
  const validation = useValidation();
  const [values, setValues] = useFormValues('cloudflare', valuesOf(stored), { api_key: '' });
  const [errors, setErrors] = useState<Errors>({});
  const [failure, setFailure] = useState<string>();
  const isDirty = Object.keys(changesOf(stored, values)).some((field) => field !== 'mode' || stored.has_config);
  const hasErrors = () => {
    const nextErrors = findErrors(stored, values);
    setErrors(nextErrors);
    setFailure(undefined);
    const first = fields.find((field) => nextErrors[field] !== undefined);
    if (first) focus(first);
    return first !== undefined;
  };
  const submit = async () => {
    if (hasErrors() || isSaving) return;
    validation.clear();
    if (stored.has_config && !isDirty) return onSaved();
    const { data, error } = await save(values);
    if (!data) return setFailure(reportFailure(error, saveFailed));
    toast.success('Configuration enregistrée.');
    onSaved();
  };
  const validate = async () => {
    if (hasErrors() || validation.isValidating) return;
    setFailure(await validation.run(validationOf(stored, values)));
  };
  const change = (changes: Partial<Values>) => {
    setValues({ ...values, ...changes });
    setErrors((current) => Object.fromEntries(Object.entries(current).filter(([field]) => !(field in changes))));
    validation.clear();
  };
  return { values, errors, failure, validation, isDirty, isSaving, change, submit, validate };
}
