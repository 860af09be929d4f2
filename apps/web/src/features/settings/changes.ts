import { type AppSettings, SaveAppSettings } from '@vigie/contracts/settings';
import { type FormErrors, schemaErrors } from '../../kit/form/errors';

/** In the form, a missing address is an empty string. */
export type Values = Required<Omit<AppSettings, 'default_sender_email'>> & { default_sender_email: string };
export type Changes = Partial<SaveAppSettings>;

export const valuesOf = (settings: AppSettings): Values => ({
  ...settings,
  default_sender_email: settings.default_sender_email ?? '',
  require_2fa: settings.require_2fa ?? 'off',
});

/** Returns only the changed fields. */
export function changesOf(stored: Values, values: Values): Changes {
  const changes: Changes = {};
  const name = values.app_name.trim();
  const sender = values.default_sender_email.trim();
  if (name !== stored.app_name) changes.app_name = name;
  if (sender !== stored.default_sender_email) changes.default_sender_email = sender === '' ? null : sender;
  if (values.require_2fa !== stored.require_2fa) changes.require_2fa = values.require_2fa;
  if (values.logo_light_b64 !== stored.logo_light_b64) changes.logo_light_b64 = values.logo_light_b64;
  if (values.logo_dark_b64 !== stored.logo_dark_b64) changes.logo_dark_b64 = values.logo_dark_b64;
  return changes;
}

/** Finds the errors that need no request. */
export const checkChanges = (changes: Changes): FormErrors<Values> => schemaErrors(SaveAppSettings, changes);
