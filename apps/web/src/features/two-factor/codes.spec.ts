import { expect, it } from 'vitest';
import { codesFile, groupSecret } from './codes';

it('groups a secret by four', () => {
  expect(groupSecret('JBSWY3DPEHPK3PXPAB')).toBe('JBSW Y3DP EHPK 3PXP AB');
  expect(groupSecret('')).toBe('');
});

it('writes the account, the date, and one code a line', () => {
  const text = codesFile('Vigie', 'x@host', ['ABC123', 'DEF456'], new Date(2026, 0, 31));
  expect(text.split('\n')).toEqual([
    'Vigie\u00a0: codes de récupération',
    'Compte\u00a0: x@host',
    'Créés le 31 janvier 2026',
    'Chaque code ne sert qu’une fois.',
    '',
    'ABC123',
    'DEF456',
    '',
  ]);
});
