import { describe, expect, it } from 'vitest';
import { safeNext } from './next';

describe('the page after the login', () => {
  it.each(['/', '/sites', '/sites/42?tab=journal#backups', '/cloudflare?q=a%2Fb'])('is %s', (next) => {
    expect(safeNext(next)).toBe(next);
  });

  it.each([
    undefined,
    '',
    'sites',
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    'javascript:alert(1)',
    ' /sites',
    '/login',
    '/login?next=/login',
  ])('is never %j', (next) => {
    expect(safeNext(next)).toBe('/');
  });
});
