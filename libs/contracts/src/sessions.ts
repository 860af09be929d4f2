import { z } from 'zod';
import { contract } from './contract';
import { PasskeyAssertion, PasskeyRequestOptions } from './passkeys';
import { email, id, newPassword, timestamp, typedPassword } from './text';
import { RecoveryCode, TotpCode } from './two-factor';
import { User } from './users';

const missingCredentials = 'Veuillez saisir votre email et votre mot de passe.';

/** The browser's user agent; the gateway overwrites any value in the body. */
export const userAgent = z.string().max(256).optional();

export const Login = z.object({
  email: email(missingCredentials),
  password: typedPassword(missingCredentials),
  totp_code: TotpCode.nullish(),
  backup_code: RecoveryCode.nullish(),
  passkey: PasskeyAssertion.nullish(),
  skip_2fa: z.boolean().optional(),
  user_agent: userAgent,
});
export type Login = z.infer<typeof Login>;

export const Signup = z.object({
  email: email(missingCredentials),
  password: newPassword(missingCredentials),
  user_agent: userAgent,
});
export type Signup = z.infer<typeof Signup>;

/** Either a token with its user, or the step that is still missing. */
export const LoginResult = z.object({
  access_token: z.string().optional(),
  user: User.optional(),
  /** The client repeats the call with `totp_code`, `backup_code` or `passkey`. */
  requires_2fa: z.literal(true).optional(),
  /** Whether a code of an app may be that answer; absent, and so true, from a service of the release before. */
  accepts_totp: z.boolean().optional(),
  /** With which a passkey of the account may answer; absent where it has none. */
  passkey_options: PasskeyRequestOptions.optional(),
  /** The policy requires a 2FA that is not set up yet; the client may repeat the call with `skip_2fa`. */
  grace_period: z.literal(true).optional(),
  grace_remaining: z.int().optional(),
  /** The grace period is used up: the token allows only the set-up of the 2FA. */
  requires_2fa_setup: z.literal(true).optional(),
  message: z.string().optional(),
});
export type LoginResult = z.infer<typeof LoginResult>;

export const login = contract('auth.sessions.login', {
  http: 'POST /api/auth/login',
  access: 'public',
  answer: 'custom',
  input: Login,
  output: LoginResult,
  sealed: { reader: 'auth-svc', fields: ['password', 'totp_code', 'backup_code', 'passkey'] },
  // Logins wait in auth-svc's bounded queue for password hashing.
  timeoutMs: 15_000,
});

export const signup = contract('auth.sessions.signup', {
  http: 'POST /api/auth/signup',
  access: 'public',
  status: 201,
  answer: 'custom',
  input: Signup,
  output: LoginResult,
  sealed: { reader: 'auth-svc', fields: ['password'] },
  timeoutMs: 15_000,
});

export const logout = contract('auth.sessions.logout', {
  http: 'POST /api/auth/logout',
  access: 'enrolling',
  input: z.object({}),
  output: z.object({}),
});

export const OpenSession = z.object({
  id,
  address: z.string().nullable(),
  user_agent: z.string().nullable(),
  created_at: timestamp,
  seen_at: timestamp,
  expires_at: timestamp,
  is_current: z.boolean(),
});
export type OpenSession = z.infer<typeof OpenSession>;

export const listSessions = contract('auth.sessions.list', {
  http: 'GET /api/auth/sessions',
  access: 'user',
  reads: ['sessions'],
  input: z.object({}),
  output: z.object({ items: z.array(OpenSession) }),
});

export const revokeSession = contract('auth.sessions.revoke', {
  http: 'DELETE /api/auth/sessions/:id',
  access: 'user',
  changes: ['sessions'],
  input: z.object({ id }),
  output: z.object({}),
});
