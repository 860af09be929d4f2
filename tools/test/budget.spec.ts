import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { checkBudget } from './budget';

const folder = mkdtempSync(join(tmpdir(), 'vigie-counts-'));
afterAll(() => rmSync(folder, { recursive: true }));

const limit = (most: number) => ({ most, words: 'démarrés' });
const check = (most: number) =>
  checkBudget(folder, { products: limit(most), services: limit(9), hosts: limit(9), pages: limit(9) });

it('is kept where no kind was started more often than it may be, and none was left uncounted', () => {
  for (const kind of ['products', 'services', 'hosts', 'pages']) writeFileSync(join(folder, kind), '...');
  expect(check(3).tally.failed).toBe(0);
  expect(check(2)).toMatchObject({ tally: { failed: 1 }, output: expect.stringContaining('3 démarrés, 2 au plus') });
  rmSync(join(folder, 'hosts'));
  expect(check(3).tally.failed).toBe(1);
});
