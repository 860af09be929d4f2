import { describe, expect, it } from 'vitest';
import type { SearchResults } from '@vigie/contracts/search';
import { Search } from 'lucide-react';
import { aboutOf, type Does } from './deeds';
import { type Entity, entitiesOf } from './entities';
import type { Command } from './match';
import { foundSections, defaultSections } from './sections';

const nothing: SearchResults = { sites: [], servers: [], groups: [], plugins: [], zones: [], away: [] };
const site = { id: 's1', name: 'Mairie d’Évreux', url: 'https://evreux.exemple.fr' };
const server = { id: 'v1', name: 'web-03', host: 'web-03.exemple.fr' };
const pages: Command[] = ['Sites', 'Serveurs'].map((label) => ({
  id: `/${label}`,
  group: 'Aller à',
  label,
  words: '',
  icon: Search,
  keys: [],
  run: () => undefined,
}));

const done: [Does, string][] = [];
const act = (does: Does, entity: Entity) => void done.push([does, entity.id]);
const shown = (query: string, all: SearchResults, about: SearchResults = nothing) =>
  foundSections(pages, query, { all: entitiesOf(all), about: entitiesOf(about) }, act).map(({ title, commands }) => [
    title,
    commands.map(({ label }) => label),
  ]);

describe('what the palette shows', () => {
  it('puts what is always there before what has to be asked for, and the deeds of the first at the end', () => {
    expect(shown('s', { ...nothing, sites: [{ ...site, name: 'Saint-Malo' }], servers: [server] })).toEqual([
      ['Pages et actions', ['Sites', 'Serveurs']],
      ['Sites', ['Saint-Malo']],
      ['Actions', ['Sauvegarder… Saint-Malo', 'Mettre à jour… Saint-Malo', 'Modifier… Saint-Malo']],
    ]);
  });

  it('keeps of what earlier letters found what has the later ones too', () => {
    const found = { ...nothing, sites: [site, { ...site, id: 's2', name: 'Musée' }] };
    expect(shown('évr mairie', found)[0]).toEqual(['Sites', ['Mairie d’Évreux']]);
    expect(shown('xyzzy', found)).toEqual([]);
  });

  it('names the deed that was typed, of all that has the other words', () => {
    expect(shown('console web', nothing, { ...nothing, sites: [site], servers: [server] })).toEqual([
      ['Actions', ['Ouvrir la console de web-03']],
    ]);
    expect(shown('sauv evreux', nothing, { ...nothing, sites: [site] })).toEqual([
      ['Actions', ['Sauvegarder… Mairie d’Évreux']],
    ]);
  });

  it('does what it says, to what it names', () => {
    const [section] = foundSections(
      [],
      'maj mairie',
      { all: [], about: entitiesOf({ ...nothing, sites: [site] }) },
      act,
    );
    section?.commands[0]?.run();
    expect(done).toEqual([['update', 's1']]);
  });

  it('begins with what was used last, whatever kind it is', () => {
    const [entity] = entitiesOf({ ...nothing, servers: [server] });
    const recents = ['/Serveurs', '/gone', ...(entity ? [entity] : [])];
    expect(defaultSections(pages, recents, act).map(({ title, commands }) => [title, commands.length])).toEqual([
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
])('takes of %j %j for the name', (query, name) => {
  expect(aboutOf(query)).toBe(name);
});
