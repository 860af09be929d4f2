import { expect, it } from 'vitest';
import { patternsOf } from './search';

it('matches words anywhere, and ranks texts that begin with all of them', () => {
  expect(patternsOf('Web  Évreux')).toEqual([['%web%', '%evreux%'], 'web evreux%', '% web evreux%']);
});

it('escapes the wildcards of LIKE', () => {
  expect(patternsOf('100%_\\')).toEqual([['%100\\%\\_\\\\%'], '100\\%\\_\\\\%', '% 100\\%\\_\\\\%']);
});

it('is undefined for an empty search', () => {
  expect(patternsOf(' \t ')).toBeUndefined();
});
