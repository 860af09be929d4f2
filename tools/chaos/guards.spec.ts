import { expect, it } from 'vitest';
import { guards, occurrences } from './guards';

it.each(Object.entries(guards))('can take out the %s, which is where it is looked for', (_, guard) => {
  expect(occurrences(guard)).toBe(1);
});
