import { describe, expect, it } from 'vitest';
import { jobName, staleTagsAfter } from './kinds';
import { formatCounts, formatDuration, formatOpenCounts, stateLabel } from './words';

const nbsp = (text: string) => text.replaceAll('_', '\u00a0');
const none = { total: 0, queued: 0, running: 0, succeeded: 0, failed: 0, cancelled: 0, unknown: 0 };

describe('the name of a job', () => {
  const where = { about: null, site_name: null, server_name: 'web-03' };

  it('names its kind and its subject', () => {
    expect(jobName({ kind: 'servers.test', ...where })).toBe('Test de connexion · web-03');
    expect(jobName({ kind: 'servers.discover', ...where })).toBe('Découverte des sites · web-03');
    expect(jobName({ kind: 'sites.inspect', ...where, site_name: 'boutique.fr' })).toBe(
      'Lecture de WordPress · boutique.fr',
    );
    expect(jobName({ kind: 'backups.verify', ...where, about: 'a.wpress', site_name: 'boutique.fr' })).toBe(
      'Vérification · a.wpress · boutique.fr',
    );
    expect(jobName({ kind: 'backups.restore', ...where, about: 'a.wpress', site_name: 'boutique.fr' })).toBe(
      'Restauration · a.wpress · boutique.fr',
    );
    expect(jobName({ kind: 'clones.make', ...where, site_name: 'boutique.fr' })).toBe('clones.make · boutique.fr');
  });

  it('names the changed item and the site once', () => {
    const change = { ...where, site_name: 'boutique.fr' };
    expect(jobName({ ...change, kind: 'changes.update', about: 'Vitrine 1.2.0 → 1.3.0' })).toBe(
      'Mise à jour · Vitrine 1.2.0 → 1.3.0 · boutique.fr',
    );
    expect(jobName({ ...change, kind: 'changes.install', about: 'vitrine.zip' })).toBe(
      'Installation · vitrine.zip · boutique.fr',
    );
  });

  it('makes all data of a site stale after a restore', () => {
    expect(staleTagsAfter('backups.restore')).toEqual(['sites', 'backups', 'changes']);
  });

  it.each(['toString', 'constructor'])('is the raw kind when the kind is unknown, even %s', (kind) => {
    expect(jobName({ kind, about: null, site_name: null, server_name: null })).toBe(kind);
    expect(staleTagsAfter(kind)).toEqual([]);
  });
});

describe('a batch in words', () => {
  it.each([
    [{ total: 8, succeeded: 6, failed: 2 }, '8_sites · 2_échecs'],
    [{ total: 1, succeeded: 1 }, '1_site'],
    [
      { total: 9, failed: 1, unknown: 1, running: 3, queued: 4 },
      '9_sites · 1_échec · 1_issue inconnue · 3_en cours · 4_en file',
    ],
  ])('%j is %j', (counts, words) => {
    expect(formatCounts({ kind: 'plugins.update', counts: { ...none, ...counts } })).toBe(nbsp(words));
  });

  it('counts with the noun of its kind', () => {
    expect(formatCounts({ kind: 'servers.test', counts: { ...none, total: 2 } })).toBe(nbsp('2_serveurs'));
    expect(formatCounts({ kind: 'changes.update', counts: { ...none, total: 12 } })).toBe(nbsp('12_éléments'));
    expect(formatCounts({ kind: 'sites.test', counts: { ...none, total: 2 } })).toBe(nbsp('2_sites'));
  });
});

it('counts the open jobs', () => {
  expect(formatOpenCounts([{ state: 'running' }, { state: 'queued' }, { state: 'running' }, { state: 'failed' }])).toBe(
    nbsp('2_en cours · 1_en file'),
  );
  expect(formatOpenCounts([])).toBe('');
});

it('shows that a job is being cancelled', () => {
  expect(stateLabel({ state: 'running', is_cancelling: true }).word).toBe('Annulation…');
});

it.each([
  [400, '<_1_s'],
  [12_900, '12_s'],
  [125_000, '2_min 05_s'],
  [3_840_000, '1_h 04_min'],
])('formats %i ms as %j', (ms, words) => {
  expect(formatDuration(ms)).toBe(nbsp(words));
});
