import { expect, it } from 'vitest';
import type { Scanned } from '@vigie/contracts/site-looks';
import { inParts } from './parts';

it('sends a report in parts that a message holds', () => {
  const item = (size: number) =>
    ({ id: 'x', version: 1, facts: null, failure: { message: 'é'.repeat(size) } }) as Scanned;
  expect(inParts([])).toEqual([]);
  expect(inParts(Array<Scanned>(120).fill(item(1))).map(({ length }) => length)).toEqual([50, 50, 20]);
  expect(inParts(Array<Scanned>(7).fill(item(110_000))).map(({ length }) => length)).toEqual([3, 3, 1]);
});
