import { expect, it } from 'vitest';
import { guards, countOccurrences } from './guards';

it.each(Object.entries(guards))('finds the code of the %s once in its file', (_, guard) => {
  expect(countOccurrences(guard)).toBe(1);
});
