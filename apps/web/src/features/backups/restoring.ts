import type { ArchiveEntry, Backup } from '@vigie/contracts/backups';
import type { RestoreResult, RestoreMode, RestoreScope } from '@vigie/contracts/restores';
import { database } from './words';

export type Archive = Pick<Backup, 'filename' | 'size' | 'createdAt' | 'location' | 'verified'>;
export type Wanted = { mode: RestoreMode; scope: RestoreScope; path: string };
/** `only` is the kind of the single entry that the dialog was opened for, if any. */
export type Restoring = { archive: Archive; wanted: Wanted; only?: ArchiveEntry['kind'] };

/** The scopes to choose from when the dialog is opened for a whole archive. */
export const wholes = ['all', 'database', 'uploads', 'plugins', 'themes'] as const satisfies readonly RestoreScope[];

export const wholeOf = (archive: Archive): Restoring => ({
  archive,
  wanted: { mode: 'merge', scope: 'all', path: '' },
});

/** Metadata of the archive, not files of the site. */
const labels = new Set(['package.json', 'multisite.json']);

/** Undefined for an entry that no restore writes. */
export function partOf(archive: Archive, { kind, path }: Pick<ArchiveEntry, 'kind' | 'path'>): Restoring | undefined {
  if (labels.has(path)) return undefined;
  const wanted = (scope: RestoreScope, name: string): Wanted => ({ mode: 'merge', scope, path: name });
  if (path === database) return { archive, wanted: wanted('database', ''), only: kind };
  if (kind === 'table') return { archive, wanted: wanted('table', path.slice(database.length + 1)), only: kind };
  return { archive, wanted: wanted('path', path), only: kind };
}

/** Undoes a restore: replaces exactly the part that it changed. */
export const backOf = (safety: Archive, { scope, path }: Pick<RestoreResult, 'scope' | 'path'>): Restoring => ({
  archive: safety,
  wanted: { mode: 'replace', scope, path },
});

/** For a single file or table, both modes do the same. */
export const hasModes = ({ only, wanted: { scope } }: Restoring): boolean =>
  scope !== 'table' && !(scope === 'path' && only === 'file');

/** The tables of WordPress accounts and their roles, with any prefix. */
const isAboutAccounts = (table: string) => /(?:^|_)user(?:s|meta)$/i.test(table);

export const changesAccounts = ({ scope, path }: Pick<Wanted, 'scope' | 'path'>): boolean =>
  scope === 'all' || scope === 'database' || (scope === 'table' && isAboutAccounts(path));
