import { expect, it } from 'vitest';
import { formatUptime } from './server.entity';

it.each([
  [0, '0\u00a0min'],
  [59, '0\u00a0min'],
  [720, '12\u00a0min'],
  [15_120, '4\u00a0h 12\u00a0min'],
  [14_400, '4\u00a0h'],
  [86_400 * 12 + 3_600 * 4 + 59, '12\u00a0j 4\u00a0h'],
  [86_400 * 400, '400\u00a0j'],
])('formats %d seconds as %s', (seconds, text) => {
  expect(formatUptime(seconds)).toBe(text);
});
