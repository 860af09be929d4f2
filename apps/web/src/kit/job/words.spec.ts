import { describe, expect, it } from 'vitest';
import { jobName, staleTagsAfter } from './kinds';
import type { JobState } from '@vigie/contracts/jobs';
import { describeBatch, formatCounts, formatDuration, formatTimeLeft, stateLabel } from './words';

const nbsp = (text: string) => text.replaceAll('_', '\u00a0');
const none = { total: 0, queued: 0, running: 0, succeeded: 0, failed: 0, cancelled: 0, unknown: 0, rolled_back: 0 };

describe('the name of a job', () => {
  const where = { about: null, site_name: null, server_name: 'web-03' };

  it('names its kind and its subject', () => {
    expect(jobName({ kind: 'servers.test', ...where })).toBe('Test de connexion · web-03');
    expect(jobName({ kind: 'servers.discover', ...where })).toBe('Découverte des sites · web-03');
    expect(jobName({ kind: 'sites.inspect', ...where, site_name: 'boutique.fr' })).toBe(
      'Lecture de WordPress · boutique.fr',
    );
    expect(jobName({ kind: 'backups.verify', ...where, about: 'a.wpress', site_name: 'boutique.fr' })).toBe(
      'Vérification · boutique.fr · a.wpress',
    );
    expect(jobName({ kind: 'backups.restore', ...where, about: 'a.wpress', site_name: 'boutique.fr' })).toBe(
      'Restauration · boutique.fr · a.wpress',
    );
    expect(jobName({ kind: 'clones.make', ...where, site_name: 'boutique.fr' })).toBe('clones.make · boutique.fr');
  });

  it('names the changed item and the site once', () => {
    const change = { ...where, site_name: 'boutique.fr' };
    expect(jobName({ ...change, kind: 'changes.update', about: 'Vitrine 1.2.0 → 1.3.0' })).toBe(
      'Mise à jour · boutique.fr · Vitrine 1.2.0 → 1.3.0',
    );
    expect(jobName({ ...change, kind: 'changes.install', about: 'vitrine.zip' })).toBe(
      'Installation · boutique.fr · vitrine.zip',
    );
  });

  it('names the first target of a batch, and counts the others', () => {
    const batch = { ...where, server_name: null, kind: 'changes.update' };
    const target = { name: 'Boulangerie Le Fournil', site_id: null, server_id: null };
    expect(jobName({ ...batch, targets: { ...target, count: 5 } })).toBe(
      nbsp('Mise à jour · Boulangerie Le Fournil et 4_autres'),
    );
    expect(jobName({ ...batch, targets: { ...target, count: 1 } })).toBe('Mise à jour · Boulangerie Le Fournil');
  });

  it('makes all data of a site stale after a restore', () => {
    expect(staleTagsAfter('backups.restore')).toEqual(['sites', 'backups', 'changes']);
  });

  it.each(['toString', 'constructor'])('is the raw kind when the kind is unknown, even %s', (kind) => {
    expect(jobName({ kind, about: null, site_name: null, server_name: null })).toBe(kind);
    expect(staleTagsAfter(kind)).toEqual([]);
  });
});

const ended = (state: JobState, counts: Partial<typeof none>) =>
  ({ state, error: null, counts: { ...none, ...counts }, is_cancelling: false }) as const;

describe('a batch in words', () => {
  it('says how much is done while it runs, and then what was done, problems after it', () => {
    const running = { total: 23, succeeded: 10, failed: 2, rolled_back: 1, running: 3, queued: 8 };
    const counted = (state: JobState, counts: Partial<typeof none>, kind = 'changes.update') =>
      formatCounts({ kind, state, counts: { ...none, ...counts } });
    expect(counted('running', running)).toBe(nbsp('12 sur 23 · 1_échec · 1_annulée, site rétabli'));
    expect(counted('failed', { total: 24, succeeded: 22, failed: 1, unknown: 1 })).toBe(
      nbsp('22_mises à jour · 1_échec · 1_issue inconnue'),
    );
    expect(counted('failed', { total: 2, failed: 2 }, 'servers.test')).toBe(nbsp('2_échecs'));
    expect(counted('cancelled', { total: 3, succeeded: 1, cancelled: 2 }, 'clones.make')).toBe(
      nbsp('1_réussie · 2_annulées'),
    );
  });

  it('says at its end what came of it, and that the checks saw no error only of changes', () => {
    const counts = { ...none, total: 26, succeeded: 22, failed: 2, rolled_back: 1, unknown: 1, cancelled: 1 };
    expect(describeBatch('changes.update', counts, 'La page d’accueil est vide.')).toBe(
      nbsp(
        '22_mises à jour, aucune erreur vue aux contrôles. 1_échec. 1_issue inconnue_: vérifiez ces sites. ' +
          '1_annulée, site rétabli_: La page d’accueil est vide. 1_annulée sur demande.',
      ),
    );
    expect(describeBatch('backups.create', { ...none, total: 2, succeeded: 2 }, undefined)).toBe(
      nbsp('2_sauvegardes.'),
    );
  });

  it('is no failure when all that failed was undone', () => {
    expect(stateLabel(ended('failed', { total: 2, succeeded: 1, failed: 1, rolled_back: 1 }))).toEqual({
      tone: 'warn',
      word: 'Terminée',
    });
    expect(stateLabel(ended('failed', { total: 1, failed: 1, rolled_back: 1 })).word).toBe('Annulée, site rétabli');
    expect(stateLabel(ended('failed', { total: 2, failed: 2, rolled_back: 1 })).word).toBe('Échec');
  });

  it('estimates how long it still takes from what is done, and says nothing while nothing is', () => {
    const started = '2026-11-21T10:00:00.000Z';
    const left = (counts: Partial<typeof none>, now: string) =>
      formatTimeLeft({ state: 'running', started_at: started, counts: { ...none, ...counts } }, new Date(now));
    const halfDone = { total: 4, succeeded: 1, failed: 1, running: 2 };
    expect(left(halfDone, '2026-11-21T10:03:00.000Z')).toBe(nbsp('encore 3_min environ'));
    expect(left(halfDone, '2026-11-21T10:00:20.000Z')).toBe('encore moins d’une minute');
    expect(left(halfDone, '2026-11-21T11:05:00.000Z')).toBe(nbsp('encore 1_h 05 environ'));
    expect(left({ total: 4, running: 4 }, '2026-11-21T10:03:00.000Z')).toBeUndefined();
  });
});

it('shows that a job is being cancelled', () => {
  expect(stateLabel({ state: 'running', error: null, counts: null, is_cancelling: true }).word).toBe('Annulation…');
});

it.each([
  [{ code: 'rolled_back' }, 'warn', 'Annulée, site rétabli'],
  [{ code: 'rolled_back', still: 'la page est vide' }, 'danger', 'Échec, site non rétabli'],
  [{ code: 'not_rolled_back' }, 'danger', 'Échec, site non rétabli'],
  [{}, 'danger', 'Échec'],
])('calls a failure with %j %s, %s', (error, tone, word) => {
  const job = { state: 'failed', error: { message: '', ...error }, counts: null, is_cancelling: false } as const;
  expect(stateLabel(job)).toEqual({ tone, word });
});

it.each([
  [400, '<_1_s'],
  [12_900, '12_s'],
  [125_000, '2_min 05_s'],
  [3_840_000, '1_h 04_min'],
])('formats %i ms as %j', (ms, words) => {
  expect(formatDuration(ms)).toBe(nbsp(words));
});
