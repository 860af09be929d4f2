import { expect, it } from 'vitest';
import { LineReader } from './line-reader';

function readLines(pieces: readonly string[]): [string, number][] {
  const lines: [string, number][] = [];
  const reader = new LineReader((line, end) => lines.push([line, end]));
  for (const piece of pieces) reader.read(Buffer.from(piece));
  return lines;
}

it('splits any chunks into the same lines, with the offsets of their ends', () => {
  const text = 'un\n\ndeux é\ntrois';
  const expected = [
    ['un', 3],
    ['', 4],
    ['deux é', 12],
  ];
  expect(readLines([text])).toEqual(expected);
  expect(readLines(text.split(''))).toEqual(expected);
});

it.each([1_000, 100_000, 600_000])('skips a line without an end, in chunks of %i bytes', (size) => {
  const long = 'x'.repeat(500_000);
  const text = `a\n${long}\nb\n`;
  const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
  expect(readLines(pieces)).toEqual([
    ['a', 2],
    ['b', 500_005],
  ]);
});
