import { expect, it } from 'vitest';
import { isNotNewer } from './verify-archive';

it.each([
  ['v1.4.31', 'v1.4.31', true],
  ['v1.4.9', 'v1.4.31', true],
  ['v1.4.32', 'v1.4.31', false],
  ['v2.0.0', 'v1.9.9', false],
  ['v0.9.9', 'v1.0.0', true],
])('%s is not newer than %s: %s', (first, second, expected) => {
  expect(isNotNewer(first, second)).toBe(expected);
});
