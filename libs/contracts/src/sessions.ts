import { z } from 'zod';
import { contract, event } from './contract';
import { email, id, requiredText, timestamp } from './text';
import { Role, User } from './users';

const missingCredentials = 'Veuillez saisir votre email et votre mot de passe.';
/** Longer ones are refused before they are hashed: hashing a megabyte is an attack. */
const passwordMax = 256;

export const Login = z.object({
  email: email(missingCredentials),
  password: requiredText(missingCredentials, passwordMax),
});
export type Login = z.infer<typeof Login>;

export const Signup = z.object({
  email: email(missingCredentials),
  password: requiredText(missingCredentials, passwordMax).refine(
    (value) => value.length >= 8,
    'Le mot de passe doit compter au moins 8 caractères.',
  ),
});
export type Signup = z.infer<typeof Signup>;

export const LoginResult = z.object({ access_token: z.string(), user: User });
export type LoginResult = z.infer<typeof LoginResult>;

export const login = contract('auth.sessions.login', {
  input: Login,
  output: LoginResult,
  callers: ['gateway'],
  sealed: { reader: 'auth-svc', fields: ['password'] },
  // A queue of logins waits for the capped hashing; it is bounded there.
  timeoutMs: 15_000,
});

export const signup = contract('auth.sessions.signup', {
  input: Signup,
  output: LoginResult,
  callers: ['gateway'],
  sealed: { reader: 'auth-svc', fields: ['password'] },
  timeoutMs: 15_000,
});

export const logout = contract('auth.sessions.logout', {
  input: z.object({}),
  output: z.object({}),
  callers: ['gateway'],
});

/** Who a bearer is. Only the hash of the token crosses the bus. */
export const Session = z.object({ sid: id, sub: id, role: Role, expires_at: timestamp });
export type Session = z.infer<typeof Session>;

export const checkSession = contract('auth.sessions.check', {
  input: z.object({ token_hash: z.string().regex(/^[0-9a-f]{64}$/) }),
  output: z.object({ session: Session.nullable() }),
  callers: ['gateway'],
});

/** Lets every gateway forget what it cached; without it a cached session lives at most 5 s longer. */
export const sessionsRevoked = event('auth.sessions.revoked', {
  payload: z.object({ sids: z.array(id).max(1000) }),
  publisher: 'auth-svc',
});
