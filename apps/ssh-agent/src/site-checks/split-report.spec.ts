import { expect, it } from 'vitest';
import type { ScanResult } from '@vigie/contracts/site-checks';
import { splitReport } from './split-report';

it('splits a report into parts that fit into a message', () => {
  const item = (size: number) =>
    ({ id: 'x', version: 1, facts: null, failure: { message: 'é'.repeat(size) } }) as ScanResult;
  expect(splitReport([])).toEqual([]);
  expect(splitReport(Array<ScanResult>(120).fill(item(1))).map(({ length }) => length)).toEqual([50, 50, 20]);
  expect(splitReport(Array<ScanResult>(7).fill(item(110_000))).map(({ length }) => length)).toEqual([3, 3, 1]);
});
