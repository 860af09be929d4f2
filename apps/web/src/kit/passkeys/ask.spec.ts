import { expect, it } from 'vitest';
import { isStillGood } from './ask';

it('asks again with a challenge while there is a minute left to answer', () => {
  expect(isStillGood({ timeout: 300_000 }, 1_000, 240_999)).toBe(true);
  expect(isStillGood({ timeout: 300_000 }, 1_000, 241_000)).toBe(false);
});
