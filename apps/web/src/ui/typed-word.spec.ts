import { expect, it } from 'vitest';
import { restoreWord } from '@vigie/contracts/restores';
import { wordFault } from './typed-word';

it.each(['', 'R', 'RESTO', 'RESTORE'])('accepts %j while it is typed', (typed) =>
  expect(wordFault(restoreWord, typed)).toBeUndefined(),
);

it.each(['restore', 'RESTORE ', ' RESTORE', 'RESTORER', 'RESTAURER'])('rejects %j', (typed) => {
  expect(wordFault(restoreWord, typed)).toBe('Le mot à taper est RESTORE, en majuscules.');
});
