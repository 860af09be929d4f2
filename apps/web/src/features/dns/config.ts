import {
  CreateDnsConfig,
  type DnsConfig,
  type dnsModes,
  EditDnsConfig,
  type ValidateDnsConfig,
} from '@vigie/contracts/dns-config';

export type Mode = (typeof dnsModes)[number];
export type Values = { mode: Mode; email: string; api_key: string; notes: string };
export type Errors = { [field in keyof Values]?: string | undefined };
export const fields = ['email', 'api_key', 'notes'] as const;

/** A token made for this is what Vigie advises: it can do less, and is taken back alone. */
export const valuesOf = (config: DnsConfig): Values => ({
  mode: config.mode ?? 'api_token',
  email: config.email ?? '',
  api_key: '',
  notes: config.notes ?? '',
});

/** With a token nobody's address is asked for. */
const emailOf = ({ mode, email }: Values) => (mode === 'global_key' ? email.trim() : null);

export const creationOf = (values: Values): CreateDnsConfig => ({
  mode: values.mode,
  email: emailOf(values),
  api_key: values.api_key.trim(),
  notes: values.notes.trim() || null,
});

/** What differs from what is stored, and nothing else; a key that is not typed is kept. */
export function changesOf(stored: DnsConfig, values: Values): EditDnsConfig {
  const { mode, email, notes } = creationOf(values);
  return {
    ...(mode !== stored.mode && { mode }),
    ...(mode === 'global_key' && email !== (stored.email ?? '') && { email }),
    ...(values.api_key.trim() !== '' && { api_key: values.api_key.trim() }),
    ...(notes !== stored.notes && { notes }),
  };
}

/** To be tried before it is kept. */
export const trialOf = (stored: DnsConfig, values: Values): ValidateDnsConfig => ({
  mode: values.mode,
  email: emailOf(values),
  ...((values.api_key.trim() !== '' || !stored.has_config) && { api_key: values.api_key.trim() }),
});

/** Another way of logging in has another key; otherwise the one that is stored stands in for an empty field. */
export function check(stored: DnsConfig, values: Values): Errors {
  const isKept = stored.has_config && stored.mode === values.mode && values.api_key.trim() === '';
  const asked = { ...creationOf(values), ...(isKept && { api_key: 'kept' }) };
  const checked = CreateDnsConfig.safeParse(asked);
  const errors: Errors = {};
  for (const { path, message } of checked.error?.issues ?? []) {
    const field = fields.find((name) => name === path[0]) ?? 'api_key';
    errors[field] ??= message;
  }
  return errors;
}
