import { expect, it } from 'vitest';
import { isNestedDeeper, parseShallow } from './nesting';

it.each([
  ['[[1]]', false],
  ['[[[1]]]', true],
  ['[{"a":[]}]', true],
  ['[[],[],[{}]]', true],
  ['[[],[],{}]', false],
  ['["[[[","\\"[[[",{}]', false],
  ['"[[[', false],
  [']]][[[', false],
])('recognises text nested deeper than twice: %s', (text, isDeeper) => {
  expect(isNestedDeeper(text, 2)).toBe(isDeeper);
});

it('parses shallow JSON only', () => {
  expect(parseShallow('[{"a":1}]', 2)).toEqual([{ a: 1 }]);
  expect(parseShallow('[{"a":[]}]', 2)).toBeUndefined();
  expect(parseShallow('[{"a":', 2)).toBeUndefined();
});
