import { expect, it } from 'vitest';
import { restoreWord } from '@vigie/contracts/restores';
import { confirmationError } from './confirmation-word';

it.each(['', 'R', 'RESTO', 'RESTORE'])('accepts %j while it is typed', (typed) =>
  expect(confirmationError(restoreWord, typed)).toBeUndefined(),
);

it.each(['restore', 'RESTORE ', ' RESTORE', 'RESTORER', 'RESTAURER'])('rejects %j', (typed) => {
  expect(confirmationError(restoreWord, typed)).toBe('Le mot à taper est RESTORE, en majuscules.');
});
