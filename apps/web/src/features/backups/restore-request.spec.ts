import { describe, expect, it } from 'vitest';
import { type Archive, undoRestore, changesAccounts, hasModes, restorePart, restoreAll } from './restore-request';

const archive: Archive = {
  filename: 'a.wpress',
  size: 1_024,
  createdAt: '2026-03-01T12:00:00.000Z',
  location: 'Distant',
  verified: null,
};
const part = (kind: 'folder' | 'file' | 'table', path: string) => restorePart(archive, { kind, path });

describe('the restore options', () => {
  it('default to merging the whole archive', () => {
    expect(restoreAll(archive).options).toEqual({ mode: 'merge', scope: 'all', path: '' });
    expect(restoreAll(archive).entryKind).toBeUndefined();
  });

  it('can be a folder, a file or a table', () => {
    expect(part('folder', 'uploads/2026')?.options).toEqual({ mode: 'merge', scope: 'path', path: 'uploads/2026' });
    expect(part('file', 'plugins/a/a.php')?.options.path).toBe('plugins/a/a.php');
    expect(part('table', 'database.sql/wp_posts')?.options).toEqual({
      mode: 'merge',
      scope: 'table',
      path: 'wp_posts',
    });
    expect(part('file', 'database.sql')?.options).toEqual({ mode: 'merge', scope: 'database', path: '' });
  });

  it('exclude the metadata of the archive', () => {
    expect(part('file', 'package.json')).toBeUndefined();
    expect(part('file', 'multisite.json')).toBeUndefined();
    expect(part('file', 'plugins/a/package.json')).toBeDefined();
  });

  it('replace exactly the restored part when a restore is undone', () => {
    expect(undoRestore(archive, { scope: 'uploads', path: '' }).options).toEqual({
      mode: 'replace',
      scope: 'uploads',
      path: '',
    });
    expect(undoRestore(archive, { scope: 'path', path: 'uploads/a.jpg' }).entryKind).toBeUndefined();
  });
});

it('offers a mode unless a single file or table is restored', () => {
  const modes = [part('folder', 'uploads'), part('file', 'database.sql'), restoreAll(archive)];
  expect(modes.map((request) => request && hasModes(request))).toEqual([true, true, true]);
  const none = [part('file', 'uploads/a.jpg'), part('table', 'database.sql/wp_posts')];
  expect(none.map((request) => request && hasModes(request))).toEqual([false, false]);
});

it.each([
  ['all', '', true],
  ['database', '', true],
  ['table', 'wp_users', true],
  ['table', 'shop_2_usermeta', true],
  ['table', 'wp_superusers', false],
  ['table', 'wp_posts', false],
  ['uploads', '', false],
  ['path', 'plugins/users', false],
] as const)('tells whether restoring %s %s changes user accounts', (scope, path, expected) => {
  expect(changesAccounts({ scope, path })).toBe(expected);
});
