import { expect, it } from 'vitest';
import { restoreWord } from '@vigie/contracts/restores';
import { wordFault } from './typed-word';

it.each(['', 'R', 'RESTO', 'RESTORE'])('lets somebody type %j', (typed) =>
  expect(wordFault(restoreWord, typed)).toBeUndefined(),
);

it.each(['restore', 'RESTORE ', ' RESTORE', 'RESTORER', 'RESTAURER'])('says that %j is not the word', (typed) => {
  expect(wordFault(restoreWord, typed)).toBe('Le mot à taper est RESTORE, en majuscules.');
});
