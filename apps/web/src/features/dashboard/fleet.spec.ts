import type { Fleet } from '@vigie/contracts/dashboard';
import { expect, it } from 'vitest';
import { countStates, sectionsOf, sitesOf, toneOf } from './fleet';

const uuid = (n: number) => `0192f0c1-7e57-7000-8000-${String(n).padStart(12, '0')}`;
const group = (n: number, name: string, parent: number | null) => ({
  id: uuid(n),
  name,
  parent_id: parent === null ? null : uuid(parent),
});
const fleet: Fleet = {
  servers: [
    { id: uuid(1), name: 'web-1' },
    { id: uuid(2), name: 'web-2' },
  ],
  groups: [group(1, 'Bretagne', 2), group(2, 'Clients', null), group(3, 'Vide', null)],
  sites: {
    ids: [1, 2, 3, 4, 5, 6].map(uuid),
    names: ['panne', 'calme', 'vieux', 'perdu', 'neuf', 'au travail'],
    statuses: ['error', 'ok', 'warning', 'warning', 'unknown', 'warning'],
    servers: [1, 0, 0, null, 0, 0],
    groups: [[0], [0, 1], [], [1], [], []],
    updates: [2, 0, 3, 0, 0, 1],
  },
  busy: [0, 5],
  reasons: [
    { text: 'HTTP 500', sites: [0] },
    { text: 'HTTP 404', sites: [3] },
  ],
  total: 6,
};
const namesIn = (by: 'group' | 'status' | undefined) =>
  sectionsOf(fleet, by).map(({ title, sites }) => [title, ...sites.map(({ name }) => name)]);

it('alarms only where somebody has to look', () => {
  expect(sitesOf(fleet).map(toneOf)).toEqual(['danger', 'ok', 'updates', 'warn', 'neutral', 'info']);
});

it('has the sites by server, group or state, the worst of each first', () => {
  expect(namesIn(undefined)).toEqual([
    ['web-1', 'au travail', 'vieux', 'calme', 'neuf'],
    ['web-2', 'panne'],
    ['Sans serveur', 'perdu'],
  ]);
  // A group has the sites of its subgroups, as the list that it links to.
  expect(namesIn('group')).toEqual([
    ['Clients', 'panne', 'perdu', 'calme'],
    ['Sans groupe', 'au travail', 'vieux', 'neuf'],
  ]);
  expect(namesIn('status')).toEqual([
    ['Erreur', 'panne'],
    ['Attention', 'perdu'],
    ['En cours', 'panne', 'au travail'],
    ['Mises à jour', 'panne', 'au travail', 'vieux'],
    ['OK', 'calme'],
    ['N/A', 'neuf'],
  ]);
});

it('counts as the list of sites filters', () => {
  expect(countStates(sitesOf(fleet), { server: uuid(1) })[3]).toEqual({
    tone: 'updates',
    word: 'Mises à jour',
    count: 3,
    to: { to: '/sites', search: { server: uuid(1), q: 'maj:oui', sort: '-updates' } },
  });
  expect(countStates(sitesOf(fleet), undefined).map(({ to }) => to)).toEqual(Array(6).fill(undefined));
});
