import { expect, it } from 'vitest';
import { isAtMost } from './verified';

it.each([
  ['v1.4.31', 'v1.4.31', true],
  ['v1.4.9', 'v1.4.31', true],
  ['v1.4.32', 'v1.4.31', false],
  ['v2.0.0', 'v1.9.9', false],
  ['v0.9.9', 'v1.0.0', true],
])('%s is of %s or before it: %s', (one, other, isSo) => {
  expect(isAtMost(one, other)).toBe(isSo);
});
