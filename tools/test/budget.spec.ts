import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testFolder } from '@vigie/testing/test-folder';
import { checkBudget } from './budget';

const limit = (max: number) => ({ max, words: 'démarrés' });

it('fails when a kind was started too often, or was not counted', () => {
  const folder = testFolder('counts');
  const check = (max: number) =>
    checkBudget(folder, { products: limit(max), services: limit(9), hosts: limit(9), pages: limit(9) });
  for (const kind of ['products', 'services', 'hosts', 'pages']) writeFileSync(join(folder, kind), '...');
  expect(check(3).tally.failed).toBe(0);
  expect(check(2)).toMatchObject({ tally: { failed: 1 }, output: expect.stringContaining('3 démarrés, 2 au plus') });
  rmSync(join(folder, 'hosts'));
  expect(check(3).tally.failed).toBe(1);
});
