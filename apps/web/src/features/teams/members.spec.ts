import { expect, it } from 'vitest';
import { nameMembers } from './members';

const names = new Map([
  ['z', 'Zoé'],
  ['e', 'Élodie'],
  ['p', 'Paul'],
]);
const say = (...ids: string[]) => nameMembers(ids, names).replaceAll('\u00a0', ' ');

it('names the members of a team as French readers sort them', () => {
  expect(say()).toBe('Aucun membre');
  expect(say('z')).toBe('Zoé');
  expect(say('z', 'p', 'e')).toBe('Élodie, Paul et Zoé');
});

it('counts the members whose names are unknown, or too many', () => {
  expect(say('x', 'y')).toBe('2 membres');
  expect(say('x', 'z')).toBe('Zoé et 1 autre');
  const many = new Map(Array.from({ length: 9 }, (_, index) => [`m${index}`, `Membre ${index}`]));
  expect(nameMembers([...many.keys()], many).replaceAll('\u00a0', ' ')).toBe(
    'Membre 0, Membre 1, Membre 2, Membre 3, Membre 4, Membre 5, Membre 6 et 2 autres',
  );
});
