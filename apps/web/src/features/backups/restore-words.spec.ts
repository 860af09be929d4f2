import { describe, expect, it } from 'vitest';
import { RestoreScope } from '@vigie/contracts/restores';
import { modeHint } from '../../kit/words/restores';
import {
  failureConsequence,
  isSameSite,
  formatCounts,
  homePageText,
  describeScope,
  describeRestore,
  skippedText,
  restoreSteps,
} from './restore-words';

const nbsp = (text: string) => text.replaceAll('_', '\u00a0');

it('names the part to restore', () => {
  expect(describeScope({ scope: 'all', path: '' })).toBe('Tout');
  expect(describeScope({ scope: 'uploads', path: '' })).toBe('Médias (uploads)');
  expect(describeScope({ scope: 'path', path: 'uploads/a.jpg' }, 'file')).toBe(nbsp('Le fichier «_uploads/a.jpg_»'));
  expect(describeScope({ scope: 'path', path: 'uploads' }, 'folder')).toBe(
    nbsp('Le dossier «_uploads_» et tout ce qu’il contient'),
  );
  expect(describeScope({ scope: 'path', path: 'uploads' })).toBe(nbsp('Seulement «_uploads_»'));
  expect(describeScope({ scope: 'table', path: 'posts' })).toBe(nbsp('La table «_posts_»'));
});

it('compares sites by address, ignoring scheme, www and trailing slash', () => {
  expect(isSameSite('http://www.exemple.fr/', 'https://exemple.fr')).toBe(true);
  expect(isSameSite('https://exemple.fr/blog', 'https://exemple.fr/blog/')).toBe(true);
  for (const other of ['https://exemple.fr/blog', 'https://autre.fr', 'https://exemple.fr:8080', 'exemple'])
    expect(isSameSite(other, 'https://exemple.fr')).toBe(false);
});

it('says whether files outside the archive stay or disappear', () => {
  for (const scope of RestoreScope.options) expect(modeHint('merge', scope)).toContain('Ce qui n’y est pas reste');
  for (const scope of RestoreScope.options) expect(modeHint('replace', scope)).toContain('exactement');
  expect(modeHint('replace', 'plugins')).toContain('les autres disparaissent');
});

it('lists the steps in order, with the upload of a copy from Vigie first', () => {
  expect(restoreSteps({ isLocal: false })[0]).toMatch(/^L’archive est lue en entier/);
  expect(restoreSteps({ isLocal: true })[0]).toContain('envoyée à l’hôte');
  expect(restoreSteps({ isLocal: false })[1]).toContain('Revenir à l’état d’avant');
  expect(restoreSteps({ isLocal: false })[2]).toContain('le site reste tel qu’il était');
});

describe('the result of a restore', () => {
  const filename = 'a.wpress';

  it.each([
    ['all', '', 'Le site est restauré depuis a.wpress.'],
    ['database', '', 'La base de données est restaurée depuis a.wpress.'],
    ['uploads', '', 'Les médias sont restaurés depuis a.wpress.'],
    ['plugins', '', 'Les plugins sont restaurés depuis a.wpress.'],
    ['themes', '', 'Les thèmes sont restaurés depuis a.wpress.'],
    ['path', 'uploads/2026', nbsp('«_uploads/2026_» est restauré depuis a.wpress.')],
    ['table', 'posts', nbsp('La table «_posts_» est restaurée depuis a.wpress.')],
  ] as const)('names %s %s', (scope, path, sentence) => {
    expect(describeRestore({ scope, path, filename })).toBe(sentence);
  });

  it('is counted, without zeros', () => {
    expect(formatCounts({ files: 1_204, tables: 12, rows: 1, removed: 2 })).toBe(
      nbsp('1\u202f204_fichiers · 12_tables · 1_ligne · 2_retirés'),
    );
    expect(formatCounts({ files: 1, tables: 0, rows: 0, removed: 0 })).toBe(nbsp('1_fichier'));
    expect(formatCounts({ files: 0, tables: 0, rows: 0, removed: 0 })).toBe('');
  });

  it('names the status of the home page when it is good', () => {
    expect(homePageText(200)).toBe('La page d’accueil répond (200).');
    expect(homePageText(301)).toBe('La page d’accueil répond (301).');
    expect(homePageText(500)).toBeUndefined();
    expect(homePageText(null)).toBeUndefined();
  });

  it('counts the entries that no restore writes', () => {
    expect(skippedText(1)).toBe(
      nbsp('1_élément de l’archive n’a pas été restauré_: Vigie ne restaure jamais ce genre de fichier.'),
    );
    expect(skippedText(3)).toMatch(/^3\u00a0éléments de l’archive n’ont/);
  });
});

describe('a restore that failed', () => {
  const job = { kind: 'backups.restore', state: 'failed', error: null } as const;

  it('says once that the site is unchanged', () => {
    const asBefore = nbsp('Le site est comme avant_: rien n’a été restauré.');
    expect(failureConsequence(job)).toBe(asBefore);
    expect(failureConsequence({ ...job, error: { message: 'Le serveur ne répond pas.' } })).toBe(asBefore);
    expect(failureConsequence({ ...job, error: { message: `Archive abîmée. ${asBefore}` } })).toBeUndefined();
    expect(failureConsequence({ ...job, state: 'unknown' })).toBeUndefined();
    expect(failureConsequence({ ...job, kind: 'backups.verify' })).toBeUndefined();
  });
});
