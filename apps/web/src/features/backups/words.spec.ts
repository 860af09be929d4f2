import { describe, expect, it } from 'vitest';
import {
  parentFolders,
  jobName,
  outcomeLabel,
  formatBytes,
  formatSizes,
  describeEntry,
  formatMegabytes,
  stepText,
  verifiedHint,
} from './words';

const nbsp = (text: string) => text.replaceAll('_', '\u00a0');

it.each([
  [0, '0,0_Mo'],
  [52_429, '0,1_Mo'],
  [1_572_864, '1,5_Mo'],
  [1_319_413_953, '1\u202f258,3_Mo'],
])('formats the size of a backup of %d bytes', (bytes, text) => expect(formatMegabytes(bytes)).toBe(nbsp(text)));

it.each([
  [0, '0_o'],
  [1_023, '1023_o'],
  [1_536, '1,5_Ko'],
  [5_242_880, '5,0_Mo'],
])('formats the size of an entry of %d bytes', (bytes, text) => expect(formatBytes(bytes)).toBe(nbsp(text)));

describe('an entry', () => {
  it('shows its size and its number of files or rows', () => {
    expect(describeEntry({ kind: 'file', size: 12, count: null })).toBe(nbsp('12_o'));
    expect(describeEntry({ kind: 'folder', size: 2_048, count: 1_204 })).toBe(nbsp('1\u202f204_fichiers · 2,0_Ko'));
    expect(describeEntry({ kind: 'table', size: 300, count: 1 })).toBe(nbsp('1_ligne · 300_o'));
  });

  it('has a link to each parent folder', () => {
    expect(parentFolders('')).toEqual([]);
    expect(parentFolders('uploads/2026')).toEqual([
      { name: 'uploads', path: 'uploads' },
      { name: '2026', path: 'uploads/2026' },
    ]);
  });

  it('shows two sizes when it changed, and one when it was added or removed', () => {
    expect(formatSizes({ before: 1_024, after: 0 })).toBe(nbsp('1,0_Ko → 0_o'));
    expect(formatSizes({ before: null, after: 7 })).toBe(nbsp('7_o'));
  });
});

describe('the outcome of a job', () => {
  it('uses the words of the specification', () => {
    expect(outcomeLabel({ kind: 'backups.create', state: 'failed', error: null }).word).toBe('Échec du backup.');
    expect(outcomeLabel({ kind: 'backups.import', state: 'failed', error: null }).word).toBe("Échec de l'import.");
    expect(outcomeLabel({ kind: 'backups.download', state: 'unknown', error: null }).tone).toBe('warn');
    expect(stepText({ kind: 'backups.verify', state: 'queued' })).toBe('En file');
    expect(jobName({ kind: 'backups.import', about: 'a.wpress' })).toBe('l’import de a.wpress');
    expect(outcomeLabel({ kind: 'backups.restore', state: 'failed', error: null }).word).toBe(
      'Échec de la restauration.',
    );
    expect(stepText({ kind: 'backups.restore', state: 'running' })).toBe('Restauration en cours');
    expect(jobName({ kind: 'backups.restore', about: 'a.wpress' })).toBe('la restauration de a.wpress');
  });

  it('never claims more than was verified', () => {
    const at = '2026-01-01T00:00:00.000Z';
    expect(verifiedHint({ at, entries: 3, by: 'structure' })).toContain('sa structure seule');
    expect(verifiedHint({ at, entries: 3, by: 'format' })).toContain('égales à leurs sommes');
  });
});
