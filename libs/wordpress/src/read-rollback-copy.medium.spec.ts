import { join } from 'node:path';
import { expect, it } from 'vitest';
import { onFleet } from '@vigie/testing/fleet/machine';
import { LoadTests } from './load-tests';

const mega = 1_048_576;
type BytesRead = { about: number; open: number; skip: number; tables: number; stop: string };

onFleet(it)('reads a whole copy once to verify it, and later only the requested parts', () => {
  const tests = new LoadTests();
  try {
    const [read] = tests.ask<BytesRead>([{ is: 'copy', file: join(tests.folder, 'copy'), pieces: 24 }]);
    if (!read) throw new Error('no answer');
    const { about, open, skip, tables, stop } = read;
    expect([about < mega, open > 24 * mega, skip < mega, tables > 24 * mega]).toEqual([true, true, true, true]);
    // A copy that was changed meanwhile is refused.
    expect(stop).toBe('not_rolled_back');
  } finally {
    tests.close();
  }
});
