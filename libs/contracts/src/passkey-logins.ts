import { z } from 'zod';
import { contract } from './contract';
import { PasskeyAssertion, PasskeyRequestOptions } from './passkeys';
import { LoginResult, userAgent } from './sessions';

/** Begins a login by passkey. The answer says nothing of accounts: the passkey names its own. */
export const offerPasskeyLogin = contract('auth.passkey-logins.options', {
  http: 'POST /api/auth/passkey/options',
  access: 'public',
  input: z.object({}),
  output: PasskeyRequestOptions,
});

export const LoginWithPasskey = z.object({ response: PasskeyAssertion, user_agent: userAgent });
export type LoginWithPasskey = z.infer<typeof LoginWithPasskey>;

/** Opens a session, as `login` does with password and code. */
export const loginWithPasskey = contract('auth.passkey-logins.login', {
  http: 'POST /api/auth/passkey',
  access: 'public',
  answer: 'custom',
  input: LoginWithPasskey,
  output: LoginResult,
  sealed: { reader: 'auth-svc', fields: ['response'] },
});
