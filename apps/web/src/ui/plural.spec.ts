import { expect, it } from 'vitest';
import { plural } from './plural';

it('is singular up to one, as in French', () => {
  expect([0, 1, 2, 10_000].map((count) => plural(count, 'code', 'codes'))).toEqual([
    '0\u00a0code',
    '1\u00a0code',
    '2\u00a0codes',
    '10\u202f000\u00a0codes',
  ]);
});
