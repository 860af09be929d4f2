import { expect, it } from 'vitest';
import { spellRequires, spellSize } from './words';

it.each([
  [0, '0,0\u00a0KB'],
  [1_024, '1,0\u00a0KB'],
  [1_234_567, '1\u202f205,6\u00a0KB'],
])('spells %d bytes', (bytes, text) => {
  expect(spellSize(bytes)).toBe(text);
});

it('names the versions of WordPress and PHP that an archive requires', () => {
  expect(spellRequires({ wp: '6.4', php: '8.1' })).toBe('WordPress\u00a0≥\u00a06.4 · PHP\u00a0≥\u00a08.1');
  expect(spellRequires({ wp: null, php: null })).toBeUndefined();
});
