import { describe, expect, it } from 'vitest';
import { actionLabel, countUpdates, describeSite, describeTodo, firstSteps, formatCount } from './words';

const spaced = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ');

describe('a number of the dashboard', () => {
  it('is a dash before the first scan, and 0 after one that found nothing', () => {
    expect([formatCount(null), formatCount(undefined), formatCount(0)]).toEqual(['—', '—', '0']);
    expect(countUpdates(undefined)).toBeNull();
    expect(countUpdates({ core: null, plugins: null, themes: null })).toBeNull();
    expect(countUpdates({ core: 0, plugins: 0, themes: 0 })).toBe(0);
    expect(countUpdates({ core: 1, plugins: 40, themes: 2 })).toBe(43);
    expect(spaced(formatCount(12_345))).toBe('12 345');
  });
});

it.each([
  ['sites_down', 1, '1 site en erreur'],
  ['servers_in_alert', 2, '2 serveurs en alerte'],
  ['jobs_failed', 1, '1 tâche n’a pas abouti'],
  ['backups_never', 2, '2 sites n’ont jamais été sauvegardés'],
  ['backups_late', 1, '1 site a plus de 7 jours sans sauvegarde'],
  ['updates', 12, '12 sites attendent des mises à jour'],
] as const)('sums up %s (%i) in one sentence', (kind, count, sentence) => {
  expect(spaced(describeTodo({ kind, count, undone: 0, worst: [], ids: [] }).sentence)).toBe(sentence);
});

it('says of changes that were all undone that their sites are well', () => {
  const textOf = (count: number, undone: number) =>
    describeTodo({ kind: 'jobs_failed', count, undone, worst: [], ids: [] });
  expect(textOf(4, 4)).toEqual({
    tone: 'warn',
    word: 'Annulée',
    sentence: '4\u00a0modifications annulées, sites rétablis',
  });
  expect(textOf(4, 3)).toMatchObject({ word: 'Échec' });
});

it('marks a first step as done by what exists', () => {
  const emptySummary = {
    counts: { sites: 0, groups: 0, servers: 0 },
    updates: { core: null, plugins: null, themes: null },
    sites_with_updates: null,
    sites_backed_up: 0,
  };
  const doneOf = (...args: Parameters<typeof firstSteps>) => firstSteps(...args).map(({ isDone }) => isDone);
  expect(doneOf(emptySummary, false)).toEqual([false, false, false, false]);
  expect(doneOf({ ...emptySummary, counts: { sites: 1, groups: 0, servers: 2 } }, false)).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(doneOf({ ...emptySummary, sites_backed_up: 1 }, true)).toEqual([false, false, true, true]);
});

it('says on a button how many sites it acts on', () => {
  const ids = (count: number) => Array<string>(count).fill('id');
  const label = (count: number) => spaced(actionLabel('Sauvegarder', { count, ids: ids(Math.min(count, 500)) }));
  expect([label(1), label(13), label(700)]).toEqual([
    'Sauvegarder ce site…',
    'Sauvegarder ces 13 sites…',
    'Sauvegarder 500 sites…',
  ]);
});

it('describes a site as its cell shows it', () => {
  const site = {
    id: '',
    name: 'a.fr',
    status: 'ok' as const,
    server: 0,
    groups: [],
    updates: 0,
    isBusy: false,
    reason: null,
  };
  expect(describeSite(site, undefined)).toBe('a.fr, OK');
  expect(spaced(describeSite({ ...site, status: 'warning', updates: 2 }, 'web-1'))).toBe(
    'a.fr, OK, 2 mises à jour, sur web-1',
  );
  expect(spaced(describeSite({ ...site, status: 'error', reason: 'Le site répond 500.' }, 'web-1'))).toBe(
    'a.fr, Erreur : Le site répond 500, sur web-1',
  );
});
