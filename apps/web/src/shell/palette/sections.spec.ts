import { describe, expect, it } from 'vitest';
import type { SearchResults } from '@vigie/contracts/search';
import { Search } from 'lucide-react';
import { withoutActionWords, type ActionName } from './actions';
import { type Entity, toEntities } from './entities';
import type { Command } from './match';
import { searchSections, defaultSections } from './sections';

const noResults: SearchResults = { sites: [], servers: [], groups: [], plugins: [], zones: [], away: [] };
const site = { id: 's1', name: 'Mairie d’Évreux', url: 'https://evreux.exemple.fr' };
const server = { id: 'v1', name: 'web-03', host: 'web-03.exemple.fr', state: 'online' as const };
const pages: Command[] = ['Sites', 'Serveurs'].map((label) => ({
  id: `/${label}`,
  group: 'Aller à',
  label,
  words: '',
  icon: Search,
  keys: [],
  run: () => undefined,
}));

const ran: [ActionName, string][] = [];
const runAction = (action: ActionName, entity: Entity) => void ran.push([action, entity.id]);
const sectionsFor = (query: string, all: SearchResults, targets: SearchResults = noResults) =>
  searchSections(pages, query, { all: toEntities(all), targets: toEntities(targets) }, runAction).map(
    ({ title, commands }) => [title, commands.map(({ label }) => label)],
  );

describe('the sections of the palette', () => {
  it('puts pages before search results, and the actions on the first result last', () => {
    expect(sectionsFor('s', { ...noResults, sites: [{ ...site, name: 'Saint-Malo' }], servers: [server] })).toEqual([
      ['Pages et actions', ['Sites', 'Serveurs']],
      ['Sites', ['Saint-Malo']],
      ['Actions', ['Sauvegarder… Saint-Malo', 'Mettre à jour… Saint-Malo', 'Modifier… Saint-Malo']],
    ]);
  });

  it('keeps the results of an earlier query that still match', () => {
    const results = { ...noResults, sites: [site, { ...site, id: 's2', name: 'Musée' }] };
    expect(sectionsFor('évr mairie', results)[0]).toEqual(['Sites', ['Mairie d’Évreux']]);
    expect(sectionsFor('xyzzy', results)).toEqual([]);
  });

  it('offers the typed action on every entity that matches the other words', () => {
    expect(sectionsFor('console web', noResults, { ...noResults, sites: [site], servers: [server] })).toEqual([
      ['Actions', ['Ouvrir la console de web-03']],
    ]);
    expect(sectionsFor('sauv evreux', noResults, { ...noResults, sites: [site] })).toEqual([
      ['Actions', ['Sauvegarder… Mairie d’Évreux']],
    ]);
  });

  it('runs the action on the entity that its label names', () => {
    const [section] = searchSections(
      [],
      'maj mairie',
      { all: [], targets: toEntities({ ...noResults, sites: [site] }) },
      runAction,
    );
    section?.commands[0]?.run();
    expect(ran).toEqual([['update', 's1']]);
  });

  it('begins with recent pages and entities', () => {
    const [entity] = toEntities({ ...noResults, servers: [server] });
    const recents = ['/Serveurs', '/gone', ...(entity ? [entity] : [])];
    expect(defaultSections(pages, recents, runAction).map(({ title, commands }) => [title, commands.length])).toEqual([
      ['Récents', 2],
      ['Aller à', 1],
    ]);
  });
});

it.each([
  ['sauvegarder exemple.fr', 'exemple.fr'],
  ['ouvrir la console de web-03', 'web-03'],
  ['MAJ mairie', 'mairie'],
  ['exemple.fr', undefined],
  ['console', undefined],
  ['', undefined],
])('reads %j as a search for %j', (query, name) => {
  expect(withoutActionWords(query)).toBe(name);
});
