import { expect, it } from 'vitest';
import type { ScanResult } from '@vigie/contracts/site-checks';
import { inParts } from './parts';

it('sends a report in parts that a message holds', () => {
  const item = (size: number) =>
    ({ id: 'x', version: 1, facts: null, failure: { message: 'é'.repeat(size) } }) as ScanResult;
  expect(inParts([])).toEqual([]);
  expect(inParts(Array<ScanResult>(120).fill(item(1))).map(({ length }) => length)).toEqual([50, 50, 20]);
  expect(inParts(Array<ScanResult>(7).fill(item(110_000))).map(({ length }) => length)).toEqual([3, 3, 1]);
});
