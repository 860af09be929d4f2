import { expect, it } from 'vitest';
import { expiryOf, nameScopes } from './words';

const now = new Date('2026-11-28T12:00:00Z');

it('names the scopes of a token in French', () => {
  expect(nameScopes(['read', 'dns'])).toBe('Lire, Gérer le DNS');
});

it('says a week before that a token expires', () => {
  const expiry = (at: string) => expiryOf({ expires_at: at }, now);
  expect(expiry('2026-11-28T12:00:00Z')).toBe('over');
  expect(expiry('2026-12-05T11:59:59Z')).toBe('soon');
  expect(expiry('2026-12-05T12:00:00Z')).toBe('later');
});
