import type { ArchiveEntry, Backup } from '@vigie/contracts/backups';
import type { RestoreResult, RestoreMode, RestoreScope } from '@vigie/contracts/restores';
import { databaseDump } from './words';

export type Archive = Pick<Backup, 'filename' | 'size' | 'createdAt' | 'location' | 'verified'>;
export type RestoreOptions = { mode: RestoreMode; scope: RestoreScope; path: string };
/** `entryKind` is the kind of the single entry that the dialog was opened for, if any. */
export type RestoreRequest = { archive: Archive; options: RestoreOptions; entryKind?: ArchiveEntry['kind'] };

/** The scopes to choose from when the dialog is opened for a whole archive. */
export const wholeScopes = [
  'all',
  'database',
  'uploads',
  'plugins',
  'themes',
] as const satisfies readonly RestoreScope[];

export const restoreAll = (archive: Archive): RestoreRequest => ({
  archive,
  options: { mode: 'merge', scope: 'all', path: '' },
});

/** Metadata of the archive, not files of the site. */
const metadataFiles = new Set(['package.json', 'multisite.json']);

/** Undefined for an entry that no restore writes. */
export function restorePart(
  archive: Archive,
  { kind, path }: Pick<ArchiveEntry, 'kind' | 'path'>,
): RestoreRequest | undefined {
  if (metadataFiles.has(path)) return undefined;
  const createOptions = (scope: RestoreScope, name: string): RestoreOptions => ({ mode: 'merge', scope, path: name });
  if (path === databaseDump) return { archive, options: createOptions('database', ''), entryKind: kind };
  if (kind === 'table')
    return { archive, options: createOptions('table', path.slice(databaseDump.length + 1)), entryKind: kind };
  return { archive, options: createOptions('path', path), entryKind: kind };
}

/** Undoes a restore: replaces exactly the part that it changed. */
export const undoRestore = (
  safety: Archive,
  { scope, path }: Pick<RestoreResult, 'scope' | 'path'>,
): RestoreRequest => ({
  archive: safety,
  options: { mode: 'replace', scope, path },
});

/** For a single file or table, both modes do the same. */
export const hasModes = ({ entryKind, options: { scope } }: RestoreRequest): boolean =>
  scope !== 'table' && !(scope === 'path' && entryKind === 'file');

/** The tables of WordPress accounts and their roles, with any prefix. */
const isAboutAccounts = (table: string) => /(?:^|_)user(?:s|meta)$/i.test(table);

export const changesAccounts = ({ scope, path }: Pick<RestoreOptions, 'scope' | 'path'>): boolean =>
  scope === 'all' || scope === 'database' || (scope === 'table' && isAboutAccounts(path));
