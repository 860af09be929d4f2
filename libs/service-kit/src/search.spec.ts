import { expect, it } from 'vitest';
import { patternsOf } from './search';

it('looks for words wherever they are, and for all of it at the beginning', () => {
  expect(patternsOf('Web  Évreux')).toEqual([['%web%', '%evreux%'], 'web evreux%', '% web evreux%']);
});

it('takes what means something to LIKE for itself', () => {
  expect(patternsOf('100%_\\')).toEqual([['%100\\%\\_\\\\%'], '100\\%\\_\\\\%', '% 100\\%\\_\\\\%']);
});

it('looks for nothing where nothing is typed', () => {
  expect(patternsOf(' \t ')).toBeUndefined();
});
