import type { OwnerPlan } from '@vigie/contracts/owner-changes';
import { expect, it } from 'vitest';
import { givenSentence, planSentences, privateSentence } from './words';

const some = (...names: string[]) => ({ names, total: names.length });
const nothing: OwnerPlan = {
  sites: some(),
  servers: some(),
  groups: some(),
  left_groups: some(),
  private_hosts: some(),
  backups: 0,
  uploads: 0,
  grants: 0,
  jobs: 0,
};
const plain = (text: string) => text.replaceAll('\u00a0', ' ');
const say = (plan: Partial<OwnerPlan>) => planSentences({ ...nothing, ...plan }, 'Zoé').map(plain);

it('says what passes, with the first names', () => {
  expect(say({ servers: some('nuage') })).toEqual(['Passera à Zoé : 1 serveur (nuage).']);
  const sites = { names: ['a', 'b', 'c', 'd', 'e', 'f'], total: 2_000 };
  expect(say({ groups: some('clients'), sites })[0]).toMatch(
    /^Passera à Zoé : 1 groupe \(clients\) et 2.000 sites \(a, b, c, d, e et 1.995 autres\)\.$/u,
  );
});

it('says what is left behind and what stays', () => {
  const plan = { sites: some('a'), left_groups: some('agence', 'mairies'), grants: 2, jobs: 1 };
  expect(say(plan)).toEqual([
    'Passera à Zoé : 1 site (a).',
    'Sortira de ces groupes, qui ne changent pas de main : agence et mairies.',
    'Un lien avec une zone DNS est défait : les zones et leurs enregistrements restent comme ils sont.',
    '2 partages restent, avec les mêmes accès.',
    '1 tâche en cours ira à son terme.',
  ]);
});

it('warns of private addresses', () => {
  expect(plain(privateSentence({ ...nothing, private_hosts: some('10.1.2.3') }, 'Zoé'))).toMatch(
    /^1 adresse est privée \(10\.1\.2\.3\) : comme Zoé n’administre pas Vigie/u,
  );
});

it('says what was done', () => {
  const target = { kind: 'site' as const, ids: ['1'], name: 'Vitrine' };
  expect(givenSentence(target, 'Zoé')).toBe('Le site Vitrine est confié à Zoé.');
  expect(plain(givenSentence({ kind: 'site', ids: ['1', '2'] }, 'Zoé'))).toBe('2 sites sont confiés à Zoé.');
});
