import { expect, it } from 'vitest';
import { type GuardName, guards } from './guards';
import { judge } from './verdict';

const one = (what: string) => [{ what, id: '1' }];
const without = Object.entries(guards) as [GuardName, (typeof guards)[GuardName]][];

it.each(without)('takes the %s for proved by what it prevents alone', (guard, { shows }) => {
  const code = (what: string) => judge({ found: one(what), hasStruckWork: true }, guard).code;
  expect(shows.map(code)).toEqual(shows.map(() => 0));
  // Of the same columns too: a site that a fault has broken is a false success without any guard taken out.
  const others = ['dit réussi, sans son effet', 'réponse', 'reste', 'perdu', 'dit échoué, mais commencé', 'croît'];
  expect(others.map(code)).toEqual(others.map(() => 1));
});

it('does not take a guard for proved where nothing was found, nor where few faults met work', () => {
  expect(judge({ found: [], hasStruckWork: true }, 'fence').code).toBe(1);
  expect(judge({ found: [], hasStruckWork: false }, 'lease').code).toBe(1);
});

it('takes a guard for proved though little was under way: without it there may be little', () => {
  expect(judge({ found: one('sans bail'), hasStruckWork: false }, 'lease').code).toBe(0);
});

it('finds nothing wrong with a whole product where nothing was found and faults met work', () => {
  expect(judge({ found: [], hasStruckWork: true }, undefined).code).toBe(0);
  expect(judge({ found: [], hasStruckWork: false }, undefined).code).toBe(1);
  expect(judge({ found: one('reste'), hasStruckWork: true }, undefined).code).toBe(1);
});
