import { describe, expect, it } from 'vitest';
import { cleanBackup, cleanTotp, meOf, stepAfter } from './steps';

const user = {
  id: '01890000-0000-7000-8000-000000000001',
  email: 'x@host',
  name: 'x@host',
  first_name: null,
  last_name: null,
  role: 'client' as const,
  is_admin: false,
};

describe('what an answer to a login asks next', () => {
  it('is a code, with the sentence of the server', () => {
    expect(stepAfter({ requires_2fa: true, message: 'Saisissez votre code.' })).toEqual({
      name: 'code',
      message: 'Saisissez votre code.',
    });
  });
  it('is a choice while there is grace left', () => {
    expect(stepAfter({ grace_period: true, grace_remaining: 3, message: ' ' })).toEqual({
      name: 'grace',
      message: undefined,
      remaining: 3,
    });
  });
  it('is nothing where nothing is asked', () => {
    expect(stepAfter({})).toBeUndefined();
  });
});

it('keeps with the user that the session may only set up its 2FA', () => {
  expect(meOf({ access_token: 't', user })).toEqual(user);
  expect(meOf({ access_token: 't', user, requires_2fa_setup: true })).toEqual({ ...user, requires_2fa_setup: true });
  expect(meOf({ access_token: 't' })).toBeUndefined();
});

it('reads a code as it was pasted', () => {
  expect(cleanTotp(' 123 456\n')).toBe('123456');
  expect(cleanTotp('12a3-45678')).toBe('123456');
  expect(cleanBackup('ab c-12 3x')).toBe('ABC123');
});
