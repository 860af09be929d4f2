import { z } from 'zod';
import { contract } from './contract';
import { Message, id, requiredText, typedPassword } from './text';

const withoutSpaces = (text: string) => text.replaceAll(/[\s-]/gu, '');

const sixDigits = (emptySentence: string) =>
  requiredText(emptySentence, 32)
    .transform(withoutSpaces)
    .refine((code) => code === '' || /^\d{6}$/.test(code), 'Le code compte 6 chiffres.');

export const TotpCode = sixDigits('Veuillez saisir le code 2FA');

/** Crockford's base32, which reads O, I and L as the digits that they resemble. */
export const RecoveryCode = requiredText('Veuillez saisir un code de récupération', 32)
  .transform((code) => withoutSpaces(code).toUpperCase().replaceAll('O', '0').replaceAll(/[IL]/g, '1'))
  .refine(
    (code) => code === '' || /^[0-9A-HJKMNP-TV-Z]{6}$/.test(code),
    'Un code de récupération compte 6 caractères.',
  );

const password = typedPassword('Veuillez saisir votre mot de passe');
const recoveryCodes = z.array(z.string().max(32)).max(20);

export const TwoFactorStatus = z.object({
  /** The user has a second factor: an app, a passkey or both. */
  enabled: z.boolean(),
  /** The user has set up an app that shows codes; absent from a service of the release before, which knows no other. */
  has_totp: z.boolean().optional(),
  passkey_count: z.int().default(0),
  backup_codes_count: z.int(),
  /** The policy requires 2FA of this user, who cannot disable it. */
  is_required: z.boolean(),
});
export type TwoFactorStatus = z.infer<typeof TwoFactorStatus>;

export const TwoFactorSetup = z.object({
  secret: z.string(),
  /** A PNG as a data URI. */
  qr_code: z.string(),
  /** None where the 2FA is on already: its recovery codes stay. */
  backup_codes: z.array(z.string()),
});
export type TwoFactorSetup = z.infer<typeof TwoFactorSetup>;

export const readTwoFactor = contract('auth.two-factor.status', {
  http: 'GET /api/auth/2fa/status',
  access: 'security',
  reads: ['two-factor'],
  input: z.object({}),
  output: TwoFactorStatus,
});

export const setUpTwoFactor = contract('auth.two-factor.setup', {
  http: 'POST /api/auth/2fa/setup',
  access: 'security',
  /** The password is needed where the 2FA is on already, by passkeys. */
  input: z.object({ password: password.optional() }),
  output: TwoFactorSetup,
  sealed: { reader: 'auth-svc', fields: ['password'] },
  timeoutMs: 15_000,
  sealedAnswer: ['secret', 'qr_code', 'backup_codes'],
});

/** `secret` and `backup_codes` must be those that the set-up issued. */
export const VerifyTwoFactor = z.object({
  secret: z.string().max(128),
  code: sixDigits('Veuillez saisir le code de vérification'),
  backup_codes: recoveryCodes,
});

export const verifyTwoFactor = contract('auth.two-factor.verify', {
  http: 'POST /api/auth/2fa/verify',
  access: 'security',
  changes: ['two-factor'],
  input: VerifyTwoFactor,
  output: Message,
  sealed: { reader: 'auth-svc', fields: ['secret', 'code', 'backup_codes'] },
});

export const disableTwoFactor = contract('auth.two-factor.disable', {
  http: 'POST /api/auth/2fa/disable',
  access: 'security',
  changes: ['two-factor'],
  input: z.object({ password }),
  output: Message,
  sealed: { reader: 'auth-svc', fields: ['password'] },
  timeoutMs: 15_000,
});

/** Issues ten new recovery codes and invalidates the old ones. */
export const renewRecoveryCodes = contract('auth.two-factor.renew_codes', {
  http: 'POST /api/auth/2fa/backup_codes',
  access: 'security',
  changes: ['two-factor'],
  input: z.object({ password }),
  output: z.object({ backup_codes: z.array(z.string()) }),
  sealed: { reader: 'auth-svc', fields: ['password'] },
  sealedAnswer: ['backup_codes'],
  timeoutMs: 15_000,
});

/** Lets an administrator reset the 2FA of a user who lost the device and the codes. */
export const resetTwoFactor = contract('auth.two-factor.reset', {
  http: 'DELETE /api/admin/users/:id/2fa',
  access: 'admin',
  changes: ['users'],
  input: z.object({ id }),
  output: z.object({}),
});
