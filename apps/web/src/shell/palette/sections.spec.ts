import { describe, expect, it } from 'vitest';
import type { SearchResults } from '@vigie/contracts/search';
import { Search } from 'lucide-react';
import type { FoundSites, Runner } from './actions';
import { toEntities } from './entities';
import type { Command } from './match';
import { defaultSections, markedSection, searchSections } from './sections';

const noResults: SearchResults = { sites: [], servers: [], groups: [], plugins: [], zones: [], away: [] };
const site = { id: 's1', name: 'Mairie d’Évreux', url: 'https://evreux.exemple.fr/', server_id: 'v1' };
const bakery = { id: 's2', name: 'Boulangerie du Fournil', url: 'https://fournil.exemple.fr', server_id: null };
const server = { id: 'v1', name: 'web-03', host: 'brest.exemple.fr', state: 'online' as const };
const pages: Command[] = ['Sites', 'Serveurs'].map((label) => ({
  id: `/${label}`,
  group: 'Aller à',
  label,
  words: '',
  icon: Search,
  keys: [],
  run: () => undefined,
}));

const ran: unknown[] = [];
const runner: Runner = {
  act: (verb, { id }) => void ran.push([verb, id]),
  batch: (verb, ids) => void ran.push([verb, ids]),
  list: (q) => void ran.push(q),
};
const sectionsFor = (query: string, all: SearchResults, targets: SearchResults = noResults, sites?: FoundSites) =>
  searchSections(pages, query, { all: toEntities(all), targets: toEntities(targets), sites }, runner).map(
    ({ title, commands }) => [title, commands.map(({ label }) => label)],
  );

describe('the sections of the palette', () => {
  it('puts pages before search results, and the actions on the first result last', () => {
    expect(sectionsFor('s', { ...noResults, sites: [{ ...site, name: 'Saint-Malo' }], servers: [server] })).toEqual([
      ['Pages et actions', ['Sites', 'Serveurs']],
      ['Sites', ['Saint-Malo']],
      ['Serveurs', ['web-03']],
      [
        'Actions',
        [
          'Sauvegarder… Saint-Malo',
          'Mettre à jour… Saint-Malo',
          'Site cassé\u202f? Saint-Malo',
          'Ouvrir wp-admin de Saint-Malo',
          'Tester… Saint-Malo',
          'Ouvrir la console de Saint-Malo',
          'Restaurer… Saint-Malo',
          'Modifier… Saint-Malo',
        ],
      ],
    ]);
  });

  it('offers on a site only what the role of the user allows', () => {
    const guest = { ...runner, rights: (id: string | null) => id === bakery.id };
    const found = {
      all: toEntities({ ...noResults, sites: [{ ...site, server_id: null }] }),
      targets: [],
      sites: undefined,
    };
    const actions = searchSections([], 'evreux', found, guest).find(({ title }) => title === 'Actions');
    expect(actions?.commands.map(({ label }) => label)).toEqual(['Ouvrir wp-admin de Mairie d’Évreux']);
    const marked = toEntities({ ...noResults, sites: [site, bakery] });
    expect(markedSection(marked, guest, () => undefined)[0]?.commands.map(({ label }) => label)).toEqual([
      'Tout décocher',
    ]);
  });

  it('keeps the results of an earlier query that still match', () => {
    const results = { ...noResults, sites: [site, { ...site, id: 's2', name: 'Musée' }] };
    expect(sectionsFor('évr mairie', results)[0]).toEqual(['Sites', ['Mairie d’Évreux']]);
    expect(sectionsFor('xyzzy', results)).toEqual([]);
  });

  it.each([
    ['sauv evreux', 'Sauvegarder… Mairie d’Évreux'],
    ['evreux backup', 'Sauvegarder… Mairie d’Évreux'],
    ['sauvegrader evreux', 'Sauvegarder… Mairie d’Évreux'],
    ['maj evreux', 'Mettre à jour… Mairie d’Évreux'],
    ['mettre à jour la mairie', 'Mettre à jour… Mairie d’Évreux'],
    ['update boul', 'Mettre à jour… Boulangerie du Fournil'],
    ['cassé fournil', 'Site cassé\u202f? Boulangerie du Fournil'],
    ['site cassé fournil', 'Site cassé\u202f? Boulangerie du Fournil'],
    ['restaurer boul', 'Restaurer… Boulangerie du Fournil'],
    ['wp-admin fournil', 'Ouvrir wp-admin de Boulangerie du Fournil'],
    ['vérifier boulangerei', 'Tester… Boulangerie du Fournil'],
    ['console brest', 'Ouvrir la console de web-03'],
    ['brest console', 'Ouvrir la console de web-03'],
    ['ssh web', 'Ouvrir la console de web-03'],
    ['découvrir web', 'Découvrir les sites de web-03'],
    ['test web', 'Tester… web-03'],
  ])('finds first for %j: %s', (query, first) => {
    const targets = { ...noResults, sites: [site, bakery], servers: [server] };
    const [[title, labels] = []] = sectionsFor(query, noResults, targets);
    expect([title, labels?.[0]]).toEqual(['Actions', first]);
  });

  it('offers the console of a site only where its server has one', () => {
    const sites = { ...noResults, sites: [site, bakery] };
    expect(sectionsFor('console', noResults, sites)).toEqual([['Actions', ['Ouvrir la console de Mairie d’Évreux']]]);
  });

  it('runs the action on the entity that its label names', () => {
    const found = { all: [], targets: toEntities({ ...noResults, sites: [site] }), sites: undefined };
    searchSections([], 'maj mairie', found, runner)[0]?.commands[0]?.run();
    expect(ran.pop()).toEqual(['update', 's1']);
  });

  it('offers the typed verb, or all of them, on the sites that a query stands for', () => {
    const sites = { ids: ['s1', 's2'], total: 2, of: 'Vitrines', q: 'groupe:vitrines' };
    expect(sectionsFor('sauvegarder groupe:vitrines', noResults, noResults, sites)).toEqual([
      ['Actions', ['Sauvegarder les 2 sites de Vitrines…']],
    ]);
    expect(sectionsFor('maj:oui', noResults, noResults, { ...sites, of: undefined, q: 'maj:oui' })).toEqual([
      [
        'Actions',
        [
          'Voir les 2 sites trouvés',
          'Sauvegarder les 2 sites trouvés…',
          'Mettre à jour les 2 sites trouvés…',
          'Tester les 2 sites trouvés…',
        ],
      ],
    ]);
  });

  it('begins with recent pages and entities', () => {
    const [entity] = toEntities({ ...noResults, servers: [server] });
    const recents = ['/Serveurs', '/gone', ...(entity ? [entity] : [])];
    expect(defaultSections(pages, recents, runner).map(({ title, commands }) => [title, commands.length])).toEqual([
      ['Récents', 2],
      ['Aller à', 1],
    ]);
  });

  it('offers the actions on all marked sites', () => {
    const marked = toEntities({ ...noResults, sites: [site, bakery] });
    const [section] = markedSection(marked, runner, () => void ran.push('unmarked'));
    expect(section?.title).toBe('2\u00a0sites cochés\u00a0: Mairie d’Évreux et Boulangerie du Fournil');
    expect(section?.commands.map(({ label }) => label)).toEqual([
      'Sauvegarder ces 2 sites…',
      'Mettre à jour ces 2 sites…',
      'Tester ces 2 sites…',
      'Tout décocher',
    ]);
    section?.commands[1]?.run();
    expect(ran.pop()).toEqual(['update', ['s1', 's2']]);
    expect(markedSection([], runner, () => undefined)).toEqual([]);
  });
});
