import { expect, it } from 'vitest';
import { sharedSentence } from './words';

const say = (...kinds: ('site' | 'group')[]) =>
  sharedSentence(
    kinds.map((kind) => ({ kind })),
    'Zoé',
    'viewer',
  ).replaceAll('\u00a0', ' ');

it('counts what is shared', () => {
  expect(say('site')).toBe('1 site est partagé avec Zoé (Lecture).');
  expect(say('group', 'group')).toBe('2 groupes sont partagés avec Zoé (Lecture).');
  expect(say('site', 'group', 'group')).toBe('2 groupes et 1 site sont partagés avec Zoé (Lecture).');
});
