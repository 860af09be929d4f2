import {
  CreateDnsConfig,
  type DnsConfig,
  type dnsModes,
  EditDnsConfig,
  type ValidateDnsConfig,
} from '@vigie/contracts/dns-config';
import { type FormErrors, schemaErrors } from '../../kit/form/errors';

export type Mode = (typeof dnsModes)[number];
export type Values = { mode: Mode; email: string; api_key: string; notes: string };

/** Defaults to a token: it has fewer rights than the global key, and can be revoked alone. */
export const valuesOf = (config: DnsConfig): Values => ({
  mode: config.mode ?? 'api_token',
  email: config.email ?? '',
  api_key: '',
  notes: config.notes ?? '',
});

/** A token needs no email. */
const emailOf = ({ mode, email }: Values) => (mode === 'global_key' ? email.trim() : null);

export const creationOf = (values: Values): CreateDnsConfig => ({
  mode: values.mode,
  email: emailOf(values),
  api_key: values.api_key.trim(),
  notes: values.notes.trim() || null,
});

/** Returns only the changed fields; an empty key keeps the stored one. */
export function changesOf(stored: DnsConfig, values: Values): EditDnsConfig {
  const { mode, email, notes } = creationOf(values);
  return {
    ...(mode !== stored.mode && { mode }),
    ...(mode === 'global_key' && email !== (stored.email ?? '') && { email }),
    ...(values.api_key.trim() !== '' && { api_key: values.api_key.trim() }),
    ...(notes !== stored.notes && { notes }),
  };
}

/** Leaves the key out where the stored one is to be validated. */
export const validationOf = (stored: DnsConfig, values: Values): ValidateDnsConfig => ({
  mode: values.mode,
  email: emailOf(values),
  ...((values.api_key.trim() !== '' || !stored.has_config) && { api_key: values.api_key.trim() }),
});

/** An empty key is valid only where one is stored for the same mode. */
export function findErrors(stored: DnsConfig, values: Values): FormErrors<Values> {
  const keepsStoredKey = stored.has_config && stored.mode === values.mode && values.api_key.trim() === '';
  const config = { ...creationOf(values), ...(keepsStoredKey && { api_key: 'kept' }) };
  return schemaErrors(CreateDnsConfig, values, config);
}
