import { expect, it } from 'vitest';
import { parseQuery } from './verbs';

it.each([
  ['sauvegarder exemple.fr', ['backup'], 'exemple.fr'],
  ['exemple.fr sauve', ['backup'], 'exemple.fr'],
  ['ouvrir la console de web-03', ['open', 'console', 'login'], 'web-03'],
  ['MAJ mairie', ['update'], 'mairie'],
  ['mettre à jour', ['update'], ''],
  ['bakcup mairie', ['backup'], 'mairie'],
  ['sauvegarder groupe:"Grands comptes"', ['backup'], 'groupe:"Grands comptes"'],
  ['exemple.fr', [], 'exemple.fr'],
  ['le site', [], 'le site'],
  ['', [], ''],
])('reads %j as %j of %j', (query, verbs, rest) => {
  const parsed = parseQuery(query);
  expect({ verbs: [...parsed.verbs], rest: parsed.rest }).toEqual({ verbs, rest });
});
