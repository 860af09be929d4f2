import { expect, it } from 'vitest';
import { toJsonb } from './to-jsonb';

it.each([
  ['a\0b', 'ab'],
  ['\uD83D', ''],
  ['\uDE00 x', ' x'],
  ['😀\n"\\', '😀\n"\\'],
  [String.raw`\u0000 \ud83d`, String.raw`\u0000 \ud83d`],
])('removes from %j what jsonb cannot store', (text, stored) => {
  expect(JSON.parse(toJsonb({ [text]: [text] }) ?? '')).toEqual({ [stored]: [stored] });
});

it('returns null for null', () => {
  expect(toJsonb(null)).toBeNull();
});
