import { expect, it } from 'vitest';
import { LineReader } from './line-reader';

function lines(pieces: readonly string[]): [string, number][] {
  const seen: [string, number][] = [];
  const reader = new LineReader((line, end) => seen.push([line, end]));
  for (const piece of pieces) reader.read(Buffer.from(piece));
  return seen;
}

it('makes the same lines of whatever pieces, with the places of their ends', () => {
  const text = 'un\n\ndeux é\ntrois';
  const expected = [
    ['un', 3],
    ['', 4],
    ['deux é', 12],
  ];
  expect(lines([text])).toEqual(expected);
  expect(lines(text.split(''))).toEqual(expected);
});

it.each([1_000, 100_000, 600_000])('does not keep a line without end, in pieces of %i bytes', (size) => {
  const long = 'x'.repeat(500_000);
  const text = `a\n${long}\nb\n`;
  const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
  expect(lines(pieces)).toEqual([
    ['a', 2],
    ['b', 500_005],
  ]);
});
