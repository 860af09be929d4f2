import { z } from 'zod';
import { contract, event } from './contract';
import { email, id, newPassword, timestamp, typedPassword } from './text';
import { tokenScopes } from './token-scopes';
import { RecoveryCode, TotpCode } from './two-factor';
import { Role, User } from './users';

const missingCredentials = 'Veuillez saisir votre email et votre mot de passe.';

/** The browser's user agent; the gateway overwrites any value in the body. */
const userAgent = z.string().max(256).optional();

export const Login = z.object({
  email: email(missingCredentials),
  password: typedPassword(missingCredentials),
  totp_code: TotpCode.nullish(),
  backup_code: RecoveryCode.nullish(),
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
  /** The client repeats the call with `totp_code` or `backup_code`. */
  requires_2fa: z.literal(true).optional(),
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
  sealed: { reader: 'auth-svc', fields: ['password', 'totp_code', 'backup_code'] },
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

/** The user behind a token. Only the token's hash crosses the bus. */
export const Session = z.object({
  sid: id,
  sub: id,
  role: Role,
  /** Shown in the activity feed; an older release of auth-svc sends neither email nor name. */
  email: z.string().optional(),
  name: z.string().optional(),
  expires_at: timestamp,
  /** The session may only set up its 2FA. */
  is_restricted: z.boolean(),
  /** What a token may do, and the groups to which it is narrowed. A person's session has none of the three. */
  scopes: z.array(z.enum(tokenScopes)).optional(),
  group_ids: z.array(id).optional(),
  token_name: z.string().optional(),
});
export type Session = z.infer<typeof Session>;

export const checkSession = contract('auth.sessions.check', {
  input: z.object({ token_hash: z.string().regex(/^[0-9a-f]{64}$/) }),
  output: z.object({ session: Session.nullable() }),
  callers: ['gateway'],
});

export const findSessions = contract('auth.sessions.find', {
  input: z.object({ sids: z.array(id).max(1_000) }),
  output: z.object({ items: z.array(Session) }),
  callers: ['gateway', 'sites-svc'],
  timeoutMs: 2_500,
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

/** Makes every gateway drop its cache; a lost event lets a cached session live at most 5 s longer. */
export const sessionsRevoked = event('auth.sessions.revoked', {
  payload: z.object({ sids: z.array(id).max(1000) }),
  publisher: 'auth-svc',
});
