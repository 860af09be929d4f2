import { describe, expect, it } from 'vitest';
import type { Group } from '@vigie/contracts/groups';
import { Failure } from './failures';
import { pathOf, pick } from './names';

const sites = [
  { id: '1', name: 'Boulangerie', url: 'https://boulangerie.fr/' },
  { id: '2', name: 'Café', url: 'https://cafe.fr/blog' },
  { id: '3', name: 'Café', url: 'http://127.0.0.1:8080' },
];
const kind = { fr: 'site', en: 'site' };
const find = (word: string) => pick(word, sites, { kind, namesOf: ({ name, url }) => [name, url] }).id;

function refusal(word: string): Failure {
  try {
    find(word);
  } catch (error) {
    if (error instanceof Failure) return error;
  }
  throw new Error('no refusal');
}

describe('a site is named', () => {
  it.each([
    ['1', '1'],
    ['boulangerie', '1'],
    ['boulangerie.fr', '1'],
    ['https://boulangerie.fr', '1'],
    ['cafe.fr/blog/', '2'],
    ['127.0.0.1:8080', '3'],
  ])('by %s', (word, id) => {
    expect(find(word)).toBe(id);
  });

  it('by nothing that two of them have', () => {
    const { words, ending } = refusal('Café');
    expect(ending).toBe('usage');
    expect(words.en).toContain('Several sites');
    expect(words.en).toContain('cafe.fr/blog');
    expect(words.en).toContain('127.0.0.1:8080');
  });

  it('by no part of its name, which is offered instead', () => {
    expect(refusal('boulang').words.fr).toMatch(/Aucun site[^]*boulangerie\.fr/);
    expect(refusal('cafe.fr').words.en).toContain('No site');
  });
});

it('writes the path of a group from the top', () => {
  const groups = [
    { id: 'a', name: 'Clients', parent_id: null },
    { id: 'b', name: 'Dupont', parent_id: 'a' },
  ] as Group[];
  expect(groups.map((group) => pathOf(group, groups))).toEqual(['Clients', 'Clients/Dupont']);
});
