import { z } from 'zod';
import { contract } from './contract';
import { largeBody } from './routes';
import { email, oneOf, requiredLine } from './text';

/** Limit of one logo as a data URI, sent and stored. */
export const logoMaxBytes = 192 * 1024;

export const TwoFactorPolicy = z.enum(['off', 'admins', 'all']);
export type TwoFactorPolicy = z.infer<typeof TwoFactorPolicy>;

/** The settings that the login screen shows without a session. */
export const Branding = z.object({
  app_name: z.string(),
  logo_light_b64: z.string().nullable(),
  logo_dark_b64: z.string().nullable(),
  /** The only address at which passkeys can be used, as `location.origin`; null or absent where there are none. */
  passkey_origin: z.string().nullable().optional(),
});
export type Branding = z.infer<typeof Branding>;

/** The last two fields are sent only to a logged-in user. */
export const AppSettings = Branding.omit({ passkey_origin: true }).extend({
  default_sender_email: z.string().nullable().optional(),
  require_2fa: TwoFactorPolicy.optional(),
});
export type AppSettings = z.infer<typeof AppSettings>;

const logo = z
  .string()
  .max(logoMaxBytes, 'Ce logo est trop volumineux\u00a0: 192\u00a0Ko au plus.')
  .regex(
    /^data:image\/(?:png|webp);base64,[A-Za-z0-9+/]+={0,2}$/,
    'Un logo est une image PNG ou WebP. Enregistrez un SVG en PNG avant de l’envoyer.',
  )
  .nullish();

/** An absent field stays unchanged; null clears it. */
export const SaveAppSettings = z.object({
  app_name: requiredLine('Le nom de l’application ne peut pas être vide.', 60).optional(),
  logo_light_b64: logo,
  logo_dark_b64: logo,
  default_sender_email: email('Renseignez une adresse expéditeur valide.').nullish(),
  require_2fa: oneOf(TwoFactorPolicy.options).optional(),
});
export type SaveAppSettings = z.infer<typeof SaveAppSettings>;

export const readAppSettings = contract('auth.settings.read', {
  http: 'GET /api/settings/app',
  access: 'guest',
  input: z.object({}),
  output: AppSettings.extend(Branding.pick({ passkey_origin: true }).shape),
});

export const saveAppSettings = contract('auth.settings.save', {
  http: 'POST /api/settings/app',
  access: 'admin',
  bodyLimit: largeBody,
  changes: ['two-factor', 'notifications'],
  input: SaveAppSettings,
  output: AppSettings,
});
