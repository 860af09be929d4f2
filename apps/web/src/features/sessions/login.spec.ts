import { describe, expect, it } from 'vitest';
import type { ApiError } from '../../kit/query/api-error';
import { cleanBackup, cleanTotp, loginSentence, stepAfter, userOf } from './login';

const user = {
  id: '01890000-0000-7000-8000-000000000001',
  email: 'x@host',
  name: 'x@host',
  first_name: null,
  last_name: null,
  role: 'client' as const,
  is_admin: false,
};

describe('the step after a login', () => {
  it('is a code, with the sentence of the server', () => {
    expect(stepAfter({ requires_2fa: true, message: 'Saisissez votre code.' }, 7)).toEqual({
      name: 'code',
      message: 'Saisissez votre code.',
      hasApp: true,
      passkeyOptions: undefined,
      receivedAt: 7,
    });
  });
  it('may be a passkey, of an account without an app', () => {
    const options = { challenge: 'x', timeout: 300_000, rpId: 'localhost', userVerification: 'required' as const };
    expect(stepAfter({ requires_2fa: true, accepts_totp: false, passkey_options: options }, 7)).toEqual({
      name: 'code',
      message: undefined,
      hasApp: false,
      passkeyOptions: options,
      receivedAt: 7,
    });
  });
  it('is a choice while grace logins remain', () => {
    expect(stepAfter({ grace_period: true, grace_remaining: 3, message: ' ' })).toEqual({
      name: 'grace',
      message: undefined,
      remaining: 3,
    });
  });
  it('is undefined where the server asks for nothing', () => {
    expect(stepAfter({})).toBeUndefined();
  });
});

it('keeps on the user that the session may only set up 2FA', () => {
  expect(userOf({ access_token: 't', user })).toEqual(user);
  expect(userOf({ access_token: 't', user, requires_2fa_setup: true })).toEqual({ ...user, requires_2fa_setup: true });
  expect(userOf({ access_token: 't' })).toBeUndefined();
});

it('cleans a pasted code', () => {
  expect(cleanTotp(' 123 456\n')).toBe('123456');
  expect(cleanTotp('12a3-45678')).toBe('123456');
  expect(cleanBackup('ab c-12 3x')).toBe('ABC123');
});

const apiError = (error: Partial<ApiError>): ApiError => ({
  kind: 'http',
  status: 401,
  path: 'POST /api/auth/login',
  ...error,
});

describe('the sentence of a failed login', () => {
  it.each<[string, Partial<ApiError>]>([
    ['Erreur de connexion.', { kind: 'network', status: 0 }],
    ['Identifiants invalides.', { detail: 'Identifiants invalides.' }],
    ['Compte suspendu.', { status: 403, detail: { message: 'Compte suspendu.' } }],
    ['Login failed', {}],
    ['Login failed', { status: 502, detail: '  ' }],
    ['Token manquant', { kind: 'shape', status: 200, fields: ['access_token', 'user'] }],
    ['Token manquant', { kind: 'shape', status: 200, fields: [''] }],
    ['Login failed', { kind: 'shape', status: 200, fields: ['user.email'] }],
  ])('is "%s"', (sentence, error) => {
    expect(loginSentence(apiError(error), 'first')).toBe(sentence);
  });
});

it('has no dot when the network fails at the second step', () => {
  expect(loginSentence(apiError({ kind: 'network', status: 0 }), 'second')).toBe('Erreur de connexion');
});
