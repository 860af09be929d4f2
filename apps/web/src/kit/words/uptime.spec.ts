import { expect, it } from 'vitest';
import { spellUptime } from './uptime';

it.each([
  [null, '—'],
  [100, '100 %'],
  [99.996, '99,99 %'],
  [99.29, '99,29 %'],
  [56.57, '56,57 %'],
  [98, '98,00 %'],
  [0, '0,00 %'],
])('spells an uptime of %s', (value, words) => {
  expect(spellUptime(value).replaceAll(/[\u00a0\u202f]/g, ' ')).toBe(words);
});
